// SPDX-License-Identifier: Apache-2.0
package org.sextant.mobile.session;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.Optional;
import java.util.Set;
import org.sextant.core.intent.CompileContext;
import org.sextant.core.intent.IntentKind;
import org.sextant.core.intent.IntentRef;
import org.sextant.core.intent.NumberedIntent;
import org.sextant.core.intent.Plan;
import org.sextant.core.table.Entry;
import org.sextant.core.table.GtpRule;
import org.sextant.core.table.GtpTunnel;
import org.sextant.core.table.MySid;
import org.sextant.core.table.Ue;
import org.sextant.mobile.Session;
import org.sextant.mobile.SessionShape;
import org.sextant.mobile.slice.SliceKind;

/** Sessions as intents of the engine. They refer to their slice, whose name is the first part of their ids. */
public final class SessionKind implements IntentKind<Session> {
    /** The name of the kind in the store. */
    public static final String NAME = "session";

    private static final String SLICE = "slice";

    @Override
    public String name() {
        return NAME;
    }

    /** Includes the slice, which the JSON of a posted session does not contain. */
    @Override
    public ObjectNode encode(Session session) {
        return SessionShape.in(session.slice()).write(session).put(SLICE, session.slice());
    }

    @Override
    public Session decode(JsonNode json) {
        ObjectNode session = json.deepCopy();
        String slice = session.path(SLICE).asText();
        session.remove(SLICE);
        return SessionShape.in(slice).decode(session);
    }

    @Override
    public String identity(Session session) {
        return session.slice() + "/" + session.id();
    }

    @Override
    public Optional<String> suggestedId(Session session) {
        return Optional.of(identity(session));
    }

    @Override
    public Set<IntentRef> refersTo(Session session) {
        return Set.of(slice(session));
    }

    static IntentRef slice(Session session) {
        return new IntentRef(SliceKind.NAME, session.slice());
    }

    @Override
    public Plan compile(NumberedIntent<Session> intent, CompileContext context) {
        return SessionCompiler.compile(intent.intent(), context);
    }

    /** The field with the tunnel or the address of the entry. */
    @Override
    public String field(Session session, Entry entry) {
        if (entry instanceof GtpTunnel tunnel) {
            Session.Tunnel row = new Session.Tunnel(tunnel.endpoint(), tunnel.teid());
            return session.uplink().equals(row)
                    ? "/uplink/teid"
                    : session.forwarding().filter(one -> one.from().equals(row)).isPresent()
                            ? "/forwarding/from/teid"
                            : "/downlink/teid";
        }
        if (entry instanceof GtpRule || entry instanceof MySid) {
            return "/forwarding";
        }
        return entry instanceof Ue ue ? "/ue/" + session.ues().indexOf(ue.destination()) : "";
    }
}
