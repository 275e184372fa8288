// SPDX-License-Identifier: Apache-2.0
package org.sextant.usid.plan;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import org.sextant.core.intent.CompileContext;
import org.sextant.core.intent.IntentKind;
import org.sextant.core.intent.IntentRef;
import org.sextant.core.intent.Numbered;
import org.sextant.core.intent.Plan;
import org.sextant.core.table.Entry;
import org.sextant.core.table.Steering;
import org.sextant.kit.Endpoint;
import org.sextant.kit.path.Firewalls;
import org.sextant.usid.Policy;
import org.sextant.usid.PolicyJson;

/** Policies as intents of the engine. */
public final class PolicyKind implements IntentKind<Policy> {
    private final PolicyCompiler compiler;

    public PolicyKind(PolicyCompiler compiler) {
        this.compiler = compiler;
    }

    /** As {@link #compile}, with everything that there is to say about the plan. */
    public Plan explain(Numbered<Policy> policy, CompileContext context) {
        return compiler.explain(policy, context);
    }

    @Override
    public Plan explain(Numbered<Policy> policy, Plan plan, CompileContext context) {
        return explain(policy, context);
    }

    @Override
    public String name() {
        return "policy";
    }

    @Override
    public ObjectNode encode(Policy policy) {
        return PolicyJson.encode(policy);
    }

    @Override
    public Policy decode(JsonNode json) {
        return PolicyJson.decode(json);
    }

    /**
     * A named policy is its name, so that posting it again with other content changes it. Any other is its canonical
     * text: independent of the order of fields, of defaults left out, and of how an address is spelled.
     */
    @Override
    public String identity(Policy policy) {
        return policy.name()
                .map(name -> "name " + name)
                .orElseGet(() -> PolicyJson.encode(policy).toString());
    }

    @Override
    public Optional<String> suggestedId(Policy policy) {
        return policy.name();
    }

    /** The firewalls on its paths. */
    @Override
    public Set<IntentRef> refersTo(Policy policy) {
        if (policy.path() instanceof Policy.Between path) {
            return Firewalls.named(path.firewalls());
        }
        return policy.lists().stream()
                .flatMap(list -> Firewalls.named(list.hops()).stream())
                .collect(Collectors.toUnmodifiableSet());
    }

    @Override
    public Plan compile(Numbered<Policy> policy, CompileContext context) {
        return compiler.compile(policy, context);
    }

    @Override
    public String field(Policy policy, Entry entry) {
        if (!(entry instanceof Steering steering)) {
            return "";
        }
        if (policy.path() instanceof Policy.Between) {
            return PolicyCompiler.isReturn(steering) ? "/from" : "/to";
        }
        int index = policy.steering().indexOf(new Endpoint.Range(steering.destination()));
        return index < 0 ? "/steering" : "/steering/" + index;
    }
}
