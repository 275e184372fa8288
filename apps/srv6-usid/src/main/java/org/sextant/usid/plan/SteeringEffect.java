// SPDX-License-Identifier: Apache-2.0
package org.sextant.usid.plan;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SortedSet;
import org.sextant.core.ip.IpPrefix;
import org.sextant.core.passage.AttachedHosts;
import org.sextant.core.passage.Packets;
import org.sextant.core.passage.Passage;
import org.sextant.core.passage.PassageLoop;
import org.sextant.core.passage.Passages;
import org.sextant.core.passage.Place;
import org.sextant.core.sid.Trace;
import org.sextant.core.table.FlowMatch;
import org.sextant.kit.Findings;

/** The effect of a policy on steered packets, seen from outside: the nodes where they enter and leave. */
final class SteeringEffect {
    private static final int MAIN = 0;

    private SteeringEffect() {}

    static List<Passage> passages(List<PlannedPath> planned) {
        List<Passage> passages = new ArrayList<>();
        byDirection(planned).forEach((direction, traces) -> passages.addAll(passages(direction, traces)));
        return passages.stream().distinct().toList();
    }

    private static Map<Direction, List<Trace>> byDirection(List<PlannedPath> planned) {
        Map<Direction, List<Trace>> traces = new LinkedHashMap<>();
        planned.forEach(one -> traces.computeIfAbsent(one.direction(), none -> new ArrayList<>())
                .add(one.trace()));
        return traces;
    }

    private static List<Passage> passages(Direction direction, List<Trace> traces) {
        Place headend = new Place(direction.headend().name(), MAIN);
        SortedSet<Place> exits = Passage.exits(traces);
        List<Passage> passages = new ArrayList<>();
        for (IpPrefix prefix : direction.steering()) {
            passages.add(new Passage(headend, Packets.to(prefix), Passage.Rule.LONGEST_PREFIX, exits));
        }
        for (FlowMatch flow : direction.flows()) {
            passages.add(new Passage(headend, packets(flow), Passage.Rule.BEFORE_ROUTES, exits));
        }
        return passages;
    }

    /** The packets of a flow, or a superset: of any DSCP, and of all ports of a range. */
    private static Packets packets(FlowMatch flow) {
        return new Packets(
                flow.source(),
                flow.destination(),
                flow.protocol().stream().boxed().findFirst(),
                flow.sourcePorts().flatMap(SteeringEffect::one),
                flow.destinationPorts().flatMap(SteeringEffect::one));
    }

    private static Optional<Integer> one(FlowMatch.Ports ports) {
        return ports.first() == ports.last() ? Optional.of(ports.first()) : Optional.empty();
    }

    /**
     * Reports forwarding loops of the policy alone: from a node to itself, or to it in one direction and back in the
     * other. The engine detects loops over several intents.
     */
    static void refuseCircles(List<PlannedPath> planned, AttachedHosts hosts, Findings findings) {
        Passages<Direction> all = new Passages<>(hosts);
        Map<Direction, List<Trace>> directions = byDirection(planned);
        directions.forEach(
                (direction, traces) -> passages(direction, traces).forEach(passage -> all.add(direction, passage)));
        directions.forEach((direction, traces) -> passages(direction, traces).stream()
                .flatMap(passage -> all.circle(passage).stream())
                .findFirst()
                .filter(circle -> findings.clean())
                .ifPresent(circle -> report(direction, circle, findings)));
    }

    private static void report(Direction direction, PassageLoop<Direction> circle, Findings findings) {
        String entry = circle.steps().get(0).passage().from().toString();
        String problem = circle.steps().size() == 1
                ? "packets to " + circle.destination() + " come out at " + entry
                        + ", where they went in, and would be steered again: they would go round for ever"
                : "packets to " + circle.destination() + " would go round for ever: "
                        + circle.text(step -> "the way " + (step.owner().index() == 0 ? "there" : "back"));
        findings.unfeasible(
                direction.branches().get(0).pointer(),
                problem,
                "end the path at the node behind which the packets are delivered, or steer less than "
                        + circle.steps().get(0).passage().packets().destination());
    }
}
