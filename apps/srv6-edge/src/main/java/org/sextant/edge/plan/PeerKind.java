// SPDX-License-Identifier: Apache-2.0
package org.sextant.edge.plan;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.Optional;
import org.sextant.core.intent.CompileContext;
import org.sextant.core.intent.IntentKind;
import org.sextant.core.intent.NumberedIntent;
import org.sextant.core.intent.Plan;
import org.sextant.core.table.EdgePeer;
import org.sextant.core.table.EdgeSource;
import org.sextant.core.table.Entry;
import org.sextant.edge.Peer;
import org.sextant.edge.PeerShape;

/** Peers as intents of the engine. */
public final class PeerKind implements IntentKind<Peer> {
    @Override
    public String name() {
        return "peer";
    }

    @Override
    public ObjectNode encode(Peer peer) {
        return PeerShape.PEER.write(peer);
    }

    @Override
    public Peer decode(JsonNode json) {
        return PeerShape.PEER.decode(json);
    }

    @Override
    public String identity(Peer peer) {
        return "name " + peer.name();
    }

    @Override
    public Optional<String> suggestedId(Peer peer) {
        return Optional.of(peer.name());
    }

    @Override
    public Plan compile(NumberedIntent<Peer> peer, CompileContext context) {
        return new PeerCompiler(peer.intent(), context).compile();
    }

    /** Peers may share a prefix, each behind ports of its own. */
    @Override
    public boolean shares(Entry entry) {
        return entry instanceof EdgeSource;
    }

    /** Every node gets the sources; a disconnected node does not keep the others closed. */
    @Override
    public boolean atomic() {
        return false;
    }

    @Override
    public String field(Peer peer, Entry entry) {
        return entry instanceof EdgePeer row ? "/sources/" + peer.sources().indexOf(row.source()) : "/sources";
    }
}
