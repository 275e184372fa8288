// SPDX-License-Identifier: Apache-2.0
package org.sextant.usid.plan;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.sextant.core.intent.CompileContext;
import org.sextant.core.intent.IntentKind;
import org.sextant.core.intent.IntentRef;
import org.sextant.core.intent.NumberedIntent;
import org.sextant.core.intent.Plan;
import org.sextant.core.intent.SetupHoldPriority;
import org.sextant.core.ip.IpPrefix;
import org.sextant.core.table.DropSteered;
import org.sextant.core.table.Entry;
import org.sextant.core.table.FlowSteering;
import org.sextant.core.table.Liveness;
import org.sextant.core.table.MySid;
import org.sextant.core.table.Steering;
import org.sextant.kit.Endpoint;
import org.sextant.kit.path.Bindings;
import org.sextant.kit.path.Firewalls;
import org.sextant.kit.path.PolicyOffer;
import org.sextant.usid.Policy;
import org.sextant.usid.PolicyShape;
import org.sextant.usid.SteeredFlow;

/** Policies as intents of the engine. */
public final class PolicyKind implements IntentKind<Policy> {
    private final PolicyCompiler compiler;

    public PolicyKind(PolicyCompiler compiler) {
        this.compiler = compiler;
    }

    /** As {@link #admit}, with the whole explanation of the plan. */
    public Plan explain(NumberedIntent<Policy> policy, CompileContext context) {
        return compiler.explain(policy, context);
    }

    @Override
    public Plan explain(NumberedIntent<Policy> policy, Plan plan, CompileContext context) {
        return compiler.explain(policy, plan, context.after(plan));
    }

    @Override
    public String name() {
        return PolicyOffer.KIND;
    }

    @Override
    public Object offers(NumberedIntent<Policy> policy, Plan plan) {
        return new PolicyOffer(PolicyExports.of(plan).binding(), Summary.way(plan));
    }

    /** Exports its lists under its color, for composite candidate paths. */
    @Override
    public Map<String, Object> offersUnder(NumberedIntent<Policy> policy, Plan plan) {
        OptionalLong color = policy.intent().terms().color();
        return color.isEmpty()
                ? Map.of()
                : PolicyExports.of(plan)
                        .member()
                        .map(member -> Map.<String, Object>of(Member.name(color.getAsLong()), member))
                        .orElse(Map.of());
    }

    /** The colors of its constituents. */
    @Override
    public Set<String> follows(Policy policy) {
        return policy.constituents().stream()
                .map(one -> Member.name(one.color()))
                .collect(Collectors.toUnmodifiableSet());
    }

    @Override
    public ObjectNode encode(Policy policy) {
        return PolicyShape.POLICY.write(policy);
    }

    @Override
    public Policy decode(JsonNode json) {
        return PolicyShape.POLICY.decode(json);
    }

    /**
     * The identity of a named policy is its name, so that posting it again with other content changes it. That of any
     * other is its canonical text: independent of the order of fields, of omitted defaults, and of the spelling of
     * addresses.
     */
    @Override
    public String identity(Policy policy) {
        return policy.name()
                .map(name -> "name " + name)
                .orElseGet(
                        () -> PolicyShape.POLICY.write(policy.withoutMetadata()).toString());
    }

    @Override
    public Optional<String> suggestedId(Policy policy) {
        return policy.name();
    }

    /** The firewalls and binding SIDs on its paths, and the policies from which these are disjoint. */
    @Override
    public Set<IntentRef> refersTo(Policy policy) {
        return references(policy);
    }

    static Set<IntentRef> references(Policy policy) {
        if (policy.path() instanceof Policy.Between path) {
            return Firewalls.named(path.firewalls());
        }
        return Stream.concat(
                        policy.lists().stream()
                                .flatMap(list -> Stream.concat(
                                        Firewalls.named(list.hops()).stream(), Bindings.named(list.hops()).stream())),
                        policy.apart().stream().map(apart -> new IntentRef(PolicyOffer.KIND, apart.policy())))
                .collect(Collectors.toUnmodifiableSet());
    }

    @Override
    public Optional<SetupHoldPriority> standing(Policy policy) {
        return policy.standing();
    }

    @Override
    public Map<String, Long> reserves(NumberedIntent<Policy> policy, Plan plan) {
        return Summary.reserved(plan);
    }

    @Override
    public int priority(Policy policy) {
        return policy.terms().priority();
    }

    @Override
    public Plan compile(NumberedIntent<Policy> policy, CompileContext context) {
        return compiler.compile(policy, context);
    }

    /** A policy is admitted with a valid path only, whatever its fallback later. */
    @Override
    public Plan admit(NumberedIntent<Policy> policy, CompileContext context) {
        return compiler.admit(policy, context);
    }

    @Override
    public String field(Policy policy, Entry entry) {
        if (entry instanceof MySid) {
            return "/bindingSid";
        }
        if (entry instanceof Liveness) {
            return "/liveness";
        }
        if (entry instanceof DropSteered drop) {
            return field(policy, drop.destination());
        }
        if (entry instanceof FlowSteering flow) {
            return Flows.asked(policy.flows(), flow.flow())
                    .map(SteeredFlow::pointer)
                    .orElse("/steering");
        }
        if (!(entry instanceof Steering steering)) {
            return "";
        }
        if (policy.path() instanceof Policy.Between) {
            return PolicyCompiler.isReturn(steering) ? "/from" : "/to";
        }
        return field(policy, steering.destination());
    }

    private static String field(Policy policy, IpPrefix destination) {
        int index = policy.steering().indexOf(new Endpoint.Range(destination));
        return index < 0 ? "/steering" : "/steering/" + SteeredFlow.place(index, policy.flows());
    }
}
