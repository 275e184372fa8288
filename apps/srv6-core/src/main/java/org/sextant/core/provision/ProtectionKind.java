// SPDX-License-Identifier: Apache-2.0
package org.sextant.core.provision;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.List;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import org.sextant.core.Problem;
import org.sextant.core.ProblemException;
import org.sextant.core.intent.CompileContext;
import org.sextant.core.intent.Dependence;
import org.sextant.core.intent.DerivedKind;
import org.sextant.core.intent.Explained;
import org.sextant.core.intent.NumberedIntent;
import org.sextant.core.intent.Plan;
import org.sextant.core.net.Network;
import org.sextant.core.net.Node;
import org.sextant.core.protect.ProtectionPlanner;
import org.sextant.core.table.Entry;
import org.sextant.core.underlay.SidPlan;
import org.sextant.core.underlay.Underlay;

/**
 * Repairs as a kind of intent: one per node that is to have some, following from the network. Their computation takes
 * longer than that of routes, which do not wait for them; so after a failure nodes get their routes first, and keep the
 * present repairs until the new ones are there.
 */
public final class ProtectionKind implements DerivedKind<NodeRepairs> {
    public static final String NAME = "protection";

    @Override
    public String name() {
        return NAME;
    }

    @Override
    public boolean slow() {
        return true;
    }

    @Override
    public SortedMap<String, NodeRepairs> derive(Underlay underlay) {
        Network network = underlay.network();
        List<Node> wanting = network.nodes().values().stream()
                .filter(ProtectionPlanner::wants)
                .toList();
        SortedMap<String, NodeRepairs> derived = new TreeMap<>();
        if (!wanting.isEmpty()) {
            List<Routes.Destination> destinations = network.nodes().values().stream()
                    .flatMap(node -> SidPlan.of(node).stream()
                            .map(sids -> new Routes.Destination(node.name(), sids.protectedUnder())))
                    .toList();
            ProtectionPlanner guarding = new ProtectionPlanner(underlay);
            for (Node node : wanting) {
                Repairs repairs = Repairs.of(destinations, guarding.of(node), network);
                derived.put(node.name(), new NodeRepairs(node.name(), repairs));
            }
        }
        return derived;
    }

    @Override
    public Plan compile(NumberedIntent<NodeRepairs> intent, CompileContext context) {
        String node = intent.intent().node();
        List<Entry> entries = intent.intent().entries(context.capabilities(node));
        ObjectNode explanation = JsonNodeFactory.instance.objectNode();
        explanation.put("node", node);
        explanation.put("repairs", intent.intent().repairs().lists().size());
        return new Plan(
                entries.stream().map(entry -> new Plan.Placed(node, entry)).toList(),
                Explained.of(explanation),
                List.of(),
                List.of(),
                Dependence.on(Set.of(node)));
    }

    @Override
    public boolean atomic() {
        return false;
    }

    @Override
    public String identity(NodeRepairs repairs) {
        return repairs.node();
    }

    @Override
    public ObjectNode encode(NodeRepairs repairs) {
        return JsonNodeFactory.instance.objectNode().put("node", repairs.node());
    }

    @Override
    public NodeRepairs decode(JsonNode json) {
        throw new ProblemException(new Problem(
                Problem.Code.INVALID,
                "",
                "repairs follow from the network and are not submitted",
                "change \"protection\" in the network's description"));
    }
}
