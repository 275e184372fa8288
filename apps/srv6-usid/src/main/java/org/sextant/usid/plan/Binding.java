// SPDX-License-Identifier: Apache-2.0
package org.sextant.usid.plan;

import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import org.sextant.contract.Actions;
import org.sextant.core.intent.AllocationRequest;
import org.sextant.core.intent.CompileContext;
import org.sextant.core.intent.NumberedIntent;
import org.sextant.core.intent.Pool;
import org.sextant.core.ip.IpPrefix;
import org.sextant.core.ip.Ipv6;
import org.sextant.core.net.Node;
import org.sextant.core.table.Behavior;
import org.sextant.core.table.MySid;
import org.sextant.core.underlay.SidPlan;
import org.sextant.kit.Findings;
import org.sextant.kit.path.Resolver;
import org.sextant.usid.BindingSid;
import org.sextant.usid.Policy;
import org.sextant.usid.Policy.Candidates;

/** The binding SID of a policy: End.B6.Encaps.Red at the headend (RFC 8986, 4.14). */
record Binding(Node headend, IpPrefix sid) {
    private static final Pool NUMBERS = new Pool("binding_sid", 0, SidPlan.bindings() - 1L);
    private static final String FIELD = "/bindingSid";

    /** Empty if the policy has none, or cannot have it. Other checks report a missing headend. */
    static Optional<Binding> of(
            NumberedIntent<Policy> policy, Candidates form, CompileContext context, Findings findings) {
        Optional<Node> headend = new Resolver(context.network(), new Findings()).node(form.headend(), "");
        if (form.terms().binding().isEmpty() || headend.isEmpty()) {
            return Optional.empty();
        }
        SidPlan plan = SidPlan.of(headend.get()).orElseThrow();
        BindingSid wanted = form.terms().binding().get();
        Optional<IpPrefix> sid = wanted.sid().isPresent()
                ? chosen(wanted.sid().get(), headend.get(), plan, context, findings)
                : given(policy, headend.get(), plan, context, findings);
        return sid.map(one -> new Binding(headend.get(), one)).filter(one -> one.possible(context, findings));
    }

    private static Optional<IpPrefix> given(
            NumberedIntent<Policy> policy, Node headend, SidPlan plan, CompileContext context, Findings findings) {
        OptionalLong number = context.claim(policy, new AllocationRequest(NUMBERS, 0).at(headend.name()));
        if (number.isEmpty()) {
            findings.unfeasible(
                    FIELD,
                    "all " + SidPlan.bindings() + " binding SIDs of " + headend.name() + " are in use",
                    "choose one of " + range(plan) + ", or delete a policy that has one");
            return Optional.empty();
        }
        return Optional.of(plan.binding((int) number.getAsLong()));
    }

    private static Optional<IpPrefix> chosen(
            Ipv6 sid, Node headend, SidPlan plan, CompileContext context, Findings findings) {
        IpPrefix fused = plan.fused(sid);
        String problem = "";
        if (!plan.locator().contains(sid)) {
            problem = sid + " is " + owner(sid, context) + ", not of headend " + headend.name();
        } else if (!fused.address().equals(sid)) {
            problem = sid + " has bits behind the uSID " + fused;
        } else if (plan.isBinding(fused)) {
            problem = sid + " is one of those that \"auto\" gives";
        } else if (!plan.isChosenBinding(fused)) {
            problem = sid + " means something else at " + headend.name() + ", or may once";
        }
        if (!problem.isEmpty()) {
            findings.unfeasible(FIELD, problem, "choose one of " + range(plan) + ", or write \"auto\"");
        }
        return problem.isEmpty() ? Optional.of(fused) : Optional.empty();
    }

    private static String owner(Ipv6 sid, CompileContext context) {
        return context.network().nodes().values().stream()
                .filter(node -> SidPlan.of(node)
                        .filter(plan -> plan.locator().contains(sid))
                        .isPresent())
                .findFirst()
                .map(node -> "a SID of node " + node.name())
                .orElse("of no node");
    }

    private static String range(SidPlan plan) {
        List<IpPrefix> ends = plan.chosenBindings();
        return ends.get(0).address() + " to " + ends.get(1).address();
    }

    private boolean possible(CompileContext context, Findings findings) {
        String name = headend.name();
        String action = Actions.B6_ENCAPS_RED.name();
        if (context.capabilities(name)
                .filter(can -> !can.offers(MySid.TABLE, action))
                .isPresent()) {
            findings.unfeasible(
                    FIELD,
                    "the pipeline of headend " + name + " has no action " + action + " in table " + MySid.TABLE,
                    "leave bindingSid out, or enter at another node");
            return false;
        }
        Optional<String> refusal = context.refusal(name, entry(0).key());
        refusal.ifPresent(reason -> findings.unfeasible(
                FIELD, "node " + name + " cannot serve the SID " + sid + ": " + reason, "choose another SID"));
        return refusal.isEmpty();
    }

    Ipv6 address() {
        return (Ipv6) sid.address();
    }

    MySid entry(int sidList) {
        return new MySid(sid, new Behavior.B6EncapsRed(sidList));
    }
}
