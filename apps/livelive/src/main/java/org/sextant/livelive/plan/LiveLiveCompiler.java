// SPDX-License-Identifier: Apache-2.0
package org.sextant.livelive.plan;

import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;
import org.sextant.core.intent.CompileContext;
import org.sextant.core.intent.Dependence;
import org.sextant.core.intent.Explained;
import org.sextant.core.intent.NumberedIntent;
import org.sextant.core.intent.Plan;
import org.sextant.core.intent.Plan.Placed;
import org.sextant.core.ip.Ipv6;
import org.sextant.core.net.Link;
import org.sextant.core.net.Network;
import org.sextant.core.sid.Fib;
import org.sextant.core.sid.Payload;
import org.sextant.core.sid.Trace;
import org.sextant.core.sid.Walk;
import org.sextant.core.table.MySid;
import org.sextant.core.underlay.SidPlan;
import org.sextant.core.underlay.Underlay;
import org.sextant.kit.Family;
import org.sextant.kit.Findings;
import org.sextant.kit.MtuCheck;
import org.sextant.kit.PlannedFib;
import org.sextant.livelive.LiveLive;
import org.sextant.livelive.plan.Direction.Way;

/**
 * Compiles a flow: at the ingress the match to copy and a segment list per path, at the egress the SIDs that
 * de-duplicate. In every plan each copy arrives by exactly the links of its path.
 *
 * <p>Pure.
 */
public final class LiveLiveCompiler {
    /** The VRF of a flow's packets and of the lookup at the egress: the main table. */
    private static final int VRF = 0;

    /** The plan of an admitted flow; failed paths reduce their number, and are no problem as long as one is left. */
    public Plan compile(NumberedIntent<LiveLive> intent, CompileContext context) {
        return compile(intent, context, false);
    }

    /** As {@link #compile}, for a flow that is not admitted yet: a shortfall is a problem if the flow refuses it. */
    public Plan admit(NumberedIntent<LiveLive> intent, CompileContext context) {
        return compile(intent, context, true);
    }

    private Plan compile(NumberedIntent<LiveLive> intent, CompileContext context, boolean admission) {
        Findings findings = new Findings();
        LiveLive flow = intent.intent();
        Optional<FlowEnds> ends = FlowEnds.resolve(flow, context.network(), findings);
        List<Numbers> numbers =
                ends.map(known -> numbers(intent, known, context, findings)).orElse(List.of());
        Optional<PathChoice> choice = ends.flatMap(known -> PathChoice.of(flow, known, context, admission, findings));
        List<Direction> directions = choice.isPresent() && findings.clean()
                ? directions(flow, ends.orElseThrow(), numbers, choice.get(), context, findings)
                : List.of();
        if (!findings.clean()) {
            return new Plan(
                    List.of(),
                    Explained.NOTHING,
                    findings.problems(),
                    findings.warnings(),
                    Dependence.EVERYTHING); // losing a link, too, may make a flow feasible
        }
        List<Placed> entries = directions.stream()
                .flatMap(one -> one.entries().stream())
                .distinct()
                .toList();
        return new Plan(
                entries,
                Explained.of(Explanation.of(choice.orElseThrow(), directions, findings.warnings())),
                List.of(),
                findings.warnings(),
                dependencies(directions),
                directions.stream().flatMap(one -> one.passages().stream()).toList());
    }

    /** The numbers of the forward direction and, for a symmetric flow, of the reverse one. */
    private static List<Numbers> numbers(
            NumberedIntent<LiveLive> intent, FlowEnds ends, CompileContext context, Findings findings) {
        List<Numbers> numbers = new ArrayList<>();
        Numbers.of(intent, 0, ends, context, findings).ifPresent(numbers::add);
        if (intent.intent().symmetric()) {
            Numbers.of(intent, 1, ends.reversed(), context, findings).ifPresent(numbers::add);
        }
        return numbers;
    }

    private static List<Direction> directions(
            LiveLive flow,
            FlowEnds ends,
            List<Numbers> numbers,
            PathChoice choice,
            CompileContext context,
            Findings findings) {
        List<Direction> directions = new ArrayList<>();
        directions.add(direction(numbers.get(0), ends, choice.paths(), context, findings));
        if (flow.symmetric()) {
            List<NumberedPath> back = back(choice.paths(), context.network(), findings);
            directions.add(direction(numbers.get(1), ends.reversed(), back, context, findings));
        }
        return directions;
    }

    private static List<NumberedPath> back(List<NumberedPath> paths, Network network, Findings findings) {
        List<NumberedPath> back = new ArrayList<>();
        for (NumberedPath path : paths) {
            path.reversed(network)
                    .ifPresentOrElse(
                            back::add,
                            () -> findings.unfeasible(
                                    "/symmetry",
                                    "path " + path.number() + " has a link without a way back",
                                    "write \"symmetry\": \"one-way\""));
        }
        return back;
    }

    private static Direction direction(
            Numbers numbers, FlowEnds ends, List<NumberedPath> paths, CompileContext context, Findings findings) {
        Underlay underlay = context.underlay();
        Requirements requirements = new Requirements(ends, context, findings);
        requirements.bothEnds();
        List<Way> ways = new ArrayList<>();
        for (NumberedPath path : paths) {
            List<Ipv6> segments = Segments.of(path, VRF, underlay);
            if (requirements.segments(path, segments.size())) {
                way(path, segments, ends, underlay, requirements, findings).ifPresent(ways::add);
            }
        }
        return new Direction(ends, numbers, ways);
    }

    private static Optional<Way> way(
            NumberedPath path,
            List<Ipv6> segments,
            FlowEnds ends,
            Underlay underlay,
            Requirements requirements,
            Findings findings) {
        MySid dedup = SidPlan.of(ends.egress()).orElseThrow().dedup(VRF, path.number());
        Fib fib = new PlannedFib(underlay.fib(), ends.egress().name(), List.of(dedup));
        @Nullable Trace last = null;
        for (Family family : ends.families()) {
            Payload payload = ends.to().probe(family).map(Payload::to).orElseGet(() -> Payload.of(family.inside()));
            Trace trace = Walk.encapsulate(fib, ends.ingress().name(), true, segments, payload);
            if (!trace.arrives()) {
                findings.unfeasible(
                        path.pointer(),
                        "path " + path.number() + ": "
                                + trace.failure().orElseThrow().message(),
                        "choose another path");
                return Optional.empty();
            }
            last = trace;
        }
        Trace trace = Objects.requireNonNull(last, "ends have a family");
        requirements.onTheWay(path, trace, fib);
        int bytes = EncapsulationBytes.of(segments.size());
        MtuCheck mtu = MtuCheck.of(bytes, trace.links(), underlay);
        mtu.warn(findings);
        if (!strictly(path, trace)) {
            findings.unfeasible(
                    path.pointer(),
                    "a copy on path " + path.number() + " would take " + String.join(", ", trace.links()),
                    "choose another path");
            return Optional.empty();
        }
        return Optional.of(new Way(path, segments, dedup, trace, bytes, mtu));
    }

    /** Is true if the trace has exactly the links of the path. */
    private static boolean strictly(NumberedPath path, Trace trace) {
        Set<String> links =
                new TreeSet<>(path.path().links().stream().map(Link::id).toList());
        return trace.links().equals(links);
    }

    private static Dependence dependencies(List<Direction> directions) {
        Set<String> dependencies = new TreeSet<>();
        directions.forEach(direction -> direction.ways().forEach(way -> {
            dependencies.addAll(way.trace().nodes());
            dependencies.addAll(way.trace().links());
        }));
        return Dependence.on(dependencies);
    }
}
