// SPDX-License-Identifier: Apache-2.0
package org.sextant.sera.plan;

import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import org.sextant.contract.Actions;
import org.sextant.contract.Tables;
import org.sextant.core.filter.RuleSet;
import org.sextant.core.intent.AllocationRequest;
import org.sextant.core.intent.CompileContext;
import org.sextant.core.intent.Dependence;
import org.sextant.core.intent.Explained;
import org.sextant.core.intent.NumberedIntent;
import org.sextant.core.intent.Plan;
import org.sextant.core.intent.Plan.Placed;
import org.sextant.core.port.Capabilities;
import org.sextant.core.table.FirewallRule;
import org.sextant.core.table.MySid;
import org.sextant.core.underlay.SidPlan;
import org.sextant.kit.Findings;
import org.sextant.kit.path.FirewallHandle;
import org.sextant.sera.Firewall;
import org.sextant.sera.Rule;
import org.sextant.sera.Versioned;

/** Compiles a firewall to entries of its node: its rules under a rule set number, and a SID that names that number. */
final class FirewallCompiler {
    private final NumberedIntent<Versioned> intent;
    private final Firewall firewall;
    private final CompileContext context;
    private final Findings findings = new Findings();

    private FirewallCompiler(NumberedIntent<Versioned> intent, CompileContext context) {
        this.intent = intent;
        this.firewall = intent.intent().firewall();
        this.context = context;
    }

    static Plan compile(NumberedIntent<Versioned> intent, CompileContext context) {
        FirewallCompiler compiler = new FirewallCompiler(intent, context);
        Optional<PlannedFirewall> planned = compiler.planned();
        Plan plan = new Plan(
                planned.map(compiler::entries).orElse(List.of()),
                planned.<Explained>map(one -> new Explains(intent, one)).orElse(Explained.NOTHING),
                compiler.findings.problems(),
                compiler.findings.warnings(),
                Dependence.only(List.of(compiler.firewall.node())));
        return planned.map(one ->
                        plan.offering(new FirewallHandle(intent.id(), one.node(), compiler.sid(one), one.rules())))
                .orElse(plan);
    }

    /** Becomes JSON on request, as findings take time. */
    private record Explains(NumberedIntent<Versioned> intent, PlannedFirewall planned) implements Explained {
        @Override
        public ObjectNode json() {
            return Explanation.of(intent, planned);
        }
    }

    private Optional<PlannedFirewall> planned() {
        Optional<SidPlan> sids = sids();
        sids.ifPresent(plan -> context.capabilities(firewall.node()).ifPresent(this::offers));
        if (sids.isEmpty() || !findings.clean()) {
            return Optional.empty();
        }
        OptionalLong claimed =
                context.claim(intent, new AllocationRequest(FirewallSid.INSTANCES, 0).at(firewall.node()));
        if (claimed.isEmpty()) {
            findings.unfeasible(
                    "/node",
                    "node \"" + firewall.node() + "\" has 16 firewalls, and no more SIDs for another",
                    "join the rules of two, or choose another node");
            return Optional.empty();
        }
        int instance = (int) claimed.getAsLong();
        RuleSet rules =
                Rules.of(firewall, FirewallSid.number(instance, intent.intent().version()), findings);
        context.capabilities(firewall.node()).ifPresent(node -> fits(rules, node));
        return findings.clean()
                ? Optional.of(new PlannedFirewall(firewall.node(), instance, sids.get(), rules))
                : Optional.empty();
    }

    private Optional<SidPlan> sids() {
        if (context.network().node(firewall.node()).isEmpty()) {
            findings.unknown(
                    "/node", "there is no node \"" + firewall.node() + "\"", "list the nodes to see which there are");
            return Optional.empty();
        }
        Optional<SidPlan> plan = context.network().node(firewall.node()).flatMap(SidPlan::of);
        if (plan.isEmpty()) {
            findings.unfeasible(
                    "/node",
                    "node \"" + firewall.node() + "\" has no SRv6 configuration, and so no SIDs",
                    "choose another node, or describe its block and uSID in the network file");
        }
        return plan;
    }

    private void offers(Capabilities node) {
        if (!node.offers(Tables.FIREWALL.name(), Actions.FW_GO_NEXT.name())
                || !node.offers(Tables.MY_SID.name(), Actions.SERA.name())) {
            findings.unfeasible(
                    "/node",
                    "node \"" + firewall.node() + "\" has no firewall: its pipeline does not know table firewall, as"
                            + " that of VPP does not",
                    "choose a Linux or a P4 node");
            return;
        }
        boolean remembers = node.offers(Tables.MY_SID.name(), Actions.SERA_STATEFUL.name());
        for (int i = 0; i < firewall.rules().size() && !remembers; i++) {
            if (firewall.rules().get(i).established().isPresent()) {
                findings.unfeasible(
                        "/rules/" + i + "/state",
                        "node \"" + firewall.node() + "\" remembers no flows",
                        "choose a Linux node, or write the rule without \"state\"");
            }
        }
        if (!remembers && (firewall.audit() || firewall.rules().stream().anyMatch(Rule::log))) {
            findings.warn("node " + firewall.node() + " keeps no log: its rules count only");
        }
    }

    private void fits(RuleSet rules, Capabilities node) {
        long size = node.sizeOfTable().getOrDefault(Tables.FIREWALL.name(), Long.MAX_VALUE);
        if (size < rules.rows().size()) {
            findings.unfeasible(
                    "/rules",
                    "the rules come to " + rules.rows().size() + " rows, and node \"" + firewall.node()
                            + "\" has room for " + size,
                    "write fewer rules or negations, or choose another node");
        }
    }

    private List<Placed> entries(PlannedFirewall planned) {
        List<Placed> entries = new ArrayList<>();
        FirewallRule.of(planned.rules()).forEach(rule -> entries.add(new Placed(planned.node(), rule)));
        entries.add(new Placed(planned.node(), sid(planned)));
        return entries;
    }

    private MySid sid(PlannedFirewall planned) {
        return FirewallSid.entry(
                planned.sids(),
                planned.instance(),
                intent.intent().version(),
                firewall.stateful() ? firewall.flows() : 0);
    }
}
