// SPDX-License-Identifier: Apache-2.0
package org.sextant.mobile.slice;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.Optional;
import org.sextant.core.intent.CompileContext;
import org.sextant.core.intent.IntentKind;
import org.sextant.core.intent.NumberedIntent;
import org.sextant.core.intent.Plan;
import org.sextant.core.table.EdgeSid;
import org.sextant.core.table.Entry;
import org.sextant.core.table.GtpRule;
import org.sextant.core.table.MySid;
import org.sextant.mobile.Slice;
import org.sextant.mobile.SliceShape;

/** Slices as intents of the engine. */
public final class SliceKind implements IntentKind<Slice> {
    /** The name of the kind in the store and in references of sessions. */
    public static final String NAME = "slice";

    private final SliceCompiler compiler = new SliceCompiler();

    @Override
    public String name() {
        return NAME;
    }

    @Override
    public ObjectNode encode(Slice slice) {
        return SliceShape.SLICE.write(slice);
    }

    @Override
    public Slice decode(JsonNode json) {
        return SliceShape.SLICE.decode(json);
    }

    @Override
    public String identity(Slice slice) {
        return "name " + slice.name();
    }

    @Override
    public Optional<String> suggestedId(Slice slice) {
        return Optional.of(slice.name());
    }

    @Override
    public Plan compile(NumberedIntent<Slice> intent, CompileContext context) {
        return compiler.compile(intent, context);
    }

    /** SIDs that receive and restore GTP-U belong to the node. */
    @Override
    public boolean shares(Entry entry) {
        return entry instanceof MySid || entry instanceof EdgeSid;
    }

    @Override
    public String field(Slice slice, Entry entry) {
        return entry instanceof GtpRule ? slice.isDefault() ? "/default" : "/match" : "";
    }
}
