// SPDX-License-Identifier: Apache-2.0
package org.sextant.sera.plan;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.Optional;
import org.sextant.core.intent.CompileContext;
import org.sextant.core.intent.IntentKind;
import org.sextant.core.intent.NumberedIntent;
import org.sextant.core.intent.Plan;
import org.sextant.core.table.Entry;
import org.sextant.core.table.MySid;
import org.sextant.kit.path.FirewallHandle;
import org.sextant.sera.Versioned;
import org.sextant.sera.VersionedShape;

/** Firewalls as intents of the engine. */
public final class FirewallKind implements IntentKind<Versioned> {
    /** The name of the kind in the store and in references of policies. */
    public static final String NAME = FirewallHandle.KIND;

    @Override
    public String name() {
        return NAME;
    }

    @Override
    public ObjectNode encode(Versioned firewall) {
        return VersionedShape.STORED.write(firewall);
    }

    @Override
    public Versioned decode(JsonNode json) {
        return VersionedShape.STORED.decode(json);
    }

    @Override
    public String identity(Versioned firewall) {
        return "name " + firewall.firewall().name();
    }

    @Override
    public Optional<String> suggestedId(Versioned firewall) {
        return Optional.of(firewall.firewall().name());
    }

    @Override
    public Versioned following(Versioned before, Versioned submitted) {
        return submitted.following(before);
    }

    @Override
    public Plan compile(NumberedIntent<Versioned> intent, CompileContext context) {
        return FirewallCompiler.compile(intent, context);
    }

    @Override
    public String field(Versioned firewall, Entry entry) {
        return entry instanceof MySid ? "/node" : "/rules";
    }
}
