// SPDX-License-Identifier: Apache-2.0
package org.sextant.livelive.service;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import org.sextant.core.Problem;
import org.sextant.core.Problem.Code;
import org.sextant.core.ProblemException;
import org.sextant.core.intent.CompileContext;
import org.sextant.core.intent.IntentState;
import org.sextant.core.intent.IntentStatus;
import org.sextant.core.intent.Intents;
import org.sextant.core.intent.Numbered;
import org.sextant.core.intent.Plan;
import org.sextant.core.intent.Submission;
import org.sextant.core.net.Network;
import org.sextant.core.port.DataPlane;
import org.sextant.core.port.DataPlane.Stored;
import org.sextant.core.port.NodeUnavailableException;
import org.sextant.core.table.Copy;
import org.sextant.core.table.Flow;
import org.sextant.livelive.Accepted;
import org.sextant.livelive.LiveLive;
import org.sextant.livelive.LiveLiveKind;
import org.sextant.livelive.Numbers;
import org.sextant.livelive.plan.FlowEnds;
import org.sextant.livelive.plan.LiveLiveCompiler;
import org.sextant.livelive.plan.Taps;
import org.sextant.livelive.service.LiveLiveView.DirectionCounts;
import org.sextant.usid.plan.Findings;

/** The Live-Live flows of a running controller. Callable from any thread. */
public final class LiveLives {
    private final Intents intents;
    private final LiveLiveKind kind;
    private final LiveLiveCompiler compiler;
    private final DataPlane dataPlane;
    private final Watch watch;
    private int nextWindow;

    LiveLives(Intents intents, LiveLiveKind kind, LiveLiveCompiler compiler, DataPlane dataPlane, Watch watch) {
        this.intents = intents;
        this.kind = kind;
        this.compiler = compiler;
        this.dataPlane = dataPlane;
        this.watch = watch;
    }

    /** What became of a flow: its status, and whether it is new or changed. */
    public record Receipt(IntentStatus<Accepted> status, boolean created, boolean changed, CompletableFuture<Void> settled) {}

    /**
     * Stores and installs a flow. One at a time: the numbers that it gets must still be free when it is stored.
     *
     * @throws ProblemException if it is not accepted
     */
    public synchronized Receipt submit(LiveLive flow) {
        Accepted accepted = accept(flow);
        boolean created = existing(flow).isEmpty();
        Submission<Accepted> submission = intents.submit(kind, List.of(accepted));
        Submission.Outcome<Accepted> outcome = submission.outcomes().get(0);
        if (!outcome.accepted()) {
            throw new ProblemException(outcome.problems());
        }
        return new Receipt(
                outcome.intent().orElseThrow(), created && outcome.changed(), outcome.changed(), submission.settled());
    }

    /**
     * The plan that submitting would install; changes nothing.
     *
     * @throws ProblemException if it would not be accepted
     */
    public synchronized Plan dryRun(LiveLive flow) {
        int turn = nextWindow;
        Accepted accepted = accept(flow);
        nextWindow = turn;
        Plan plan = intents.dryRun(kind, accepted).plan();
        if (!plan.feasible()) {
            throw new ProblemException(plan.problems());
        }
        return plan;
    }

    /** The flow with its numbers: those it has already, or free ones. */
    private Accepted accept(LiveLive flow) {
        CompileContext context = intents.context();
        Findings findings = new Findings();
        Optional<FlowEnds> ends = FlowEnds.resolve(flow, context.network(), findings);
        if (!findings.clean()) {
            throw new ProblemException(findings.problems());
        }
        Optional<IntentStatus<Accepted>> existing = existing(flow);
        List<IntentStatus<Accepted>> others = intents.list(kind).stream()
                .filter(other -> existing.isEmpty() || !other.id().equals(existing.get().id()))
                .toList();
        refuseOverlap(flow, ends.orElseThrow(), others, context.network());
        Accepted accepted = new Accepted(flow, numbers(flow, ends.get(), existing, others));
        Plan plan = compiler.admit(new Numbered<>(flow.name().orElse("new"), 1, accepted), context);
        if (!plan.feasible()) {
            throw new ProblemException(plan.problems());
        }
        return accepted;
    }

    private List<Numbers> numbers(
            LiveLive flow, FlowEnds ends, Optional<IntentStatus<Accepted>> existing, List<IntentStatus<Accepted>> others) {
        List<Numbers> had = existing.map(known -> known.intent().intent().numbers()).orElse(List.of());
        List<String> egresses = List.of(ends.egress().name(), ends.ingress().name());
        Allocation ofOthers = new Allocation(others, nextWindow);
        Allocation allocation = existing.isEmpty() ? ofOthers : new Allocation(all(others, existing.get()), nextWindow);
        List<Numbers> numbers = new ArrayList<>();
        for (int i = 0; i < Accepted.directions(flow); i++) {
            // A flow that is to end at another node may meet its window there.
            boolean kept = i < had.size() && !ofOthers.taken(egresses.get(i), had.get(i).window());
            numbers.add(kept ? had.get(i) : allocation.next(egresses.get(i)));
        }
        nextWindow = allocation.nextWindow();
        return numbers;
    }

    private static List<IntentStatus<Accepted>> all(
            List<IntentStatus<Accepted>> others, IntentStatus<Accepted> existing) {
        List<IntentStatus<Accepted>> all = new ArrayList<>(others);
        all.add(existing);
        return all;
    }

    private Optional<IntentStatus<Accepted>> existing(LiveLive flow) {
        String identity = LiveLiveKind.identity(flow);
        return intents.list(kind).stream()
                .filter(status -> status.state() != IntentState.REMOVING)
                .filter(status -> kind.identity(status.intent().intent()).equals(identity))
                .findFirst();
    }

    /** A packet belongs to one flow at most: its copies carry one flow id. */
    private static void refuseOverlap(
            LiveLive flow, FlowEnds ends, List<IntentStatus<Accepted>> others, Network network) {
        for (IntentStatus<Accepted> other : others) {
            if (other.state() == IntentState.REMOVING) {
                continue;
            }
            LiveLive theirs = other.intent().intent().flow();
            FlowEnds.resolve(theirs, network, new Findings())
                    .filter(there -> overlap(flow, ends, theirs, there))
                    .ifPresent(there -> {
                        throw new ProblemException(new Problem(
                                Code.CONFLICT,
                                "/from",
                                "flow " + other.id() + " has packets of this one: those from "
                                        + there.from().label() + " to " + there.to().label(),
                                "remove " + other.id() + " first, or tell the two apart by protocol and ports"));
                    });
        }
    }

    private static boolean overlap(LiveLive flow, FlowEnds ends, LiveLive theirs, FlowEnds there) {
        return ends.overlaps(there)
                || flow.symmetric() && ends.reversed().overlaps(there)
                || theirs.symmetric() && ends.overlaps(there.reversed());
    }

    /** @throws ProblemException if the flow is not there */
    public IntentStatus<Accepted> get(String id) {
        return intents.get(kind, id)
                .orElseThrow(() -> new ProblemException(new Problem(
                        Code.UNKNOWN,
                        "/id",
                        "there is no Live-Live flow \"" + id + "\"",
                        "list the flows to see what there is")));
    }

    /** Whether it was deleted and nodes may still have entries of it. */
    public boolean leaving(String id) {
        return intents.get(kind, id).filter(status -> status.state() == IntentState.REMOVING).isPresent();
    }

    /** By id; deleted ones of which nodes may have entries included. */
    public List<IntentStatus<Accepted>> list() {
        return intents.list(kind);
    }

    /** Reads the counters of all flows at their egresses, and tells of paths that fell silent or came back. */
    void watch() {
        watch.round(list());
    }

    /**
     * A flow with what its paths deliver, read from the nodes now. What a node that does not answer would say is left
     * out.
     *
     * @throws ProblemException if the flow is not there
     */
    public ObjectNode view(String id) {
        IntentStatus<Accepted> status = get(id);
        List<DirectionCounts> counts = Taps.of(status.plan()).stream()
                .map(taps -> counts(taps, watch.read(id, taps), sent(taps)))
                .toList();
        return LiveLiveView.of(status, counts, watch.events(status.plan()));
    }

    /** All flows with what was last read of their paths, by id. */
    public ArrayNode views() {
        ArrayNode views = JsonNodeFactory.instance.arrayNode();
        for (IntentStatus<Accepted> status : list()) {
            List<DirectionCounts> counts = Taps.of(status.plan()).stream()
                    .map(taps -> counts(taps, watch.known(taps), List.of()))
                    .toList();
            views.add(LiveLiveView.of(status, counts, watch.events(status.plan())));
        }
        return views;
    }

    private DirectionCounts counts(Taps taps, Optional<Arrivals> arrivals, List<Stored> ingress) {
        Map<Integer, Long> sent = new TreeMap<>();
        Map<Integer, Health.State> states = new TreeMap<>();
        taps.paths().forEach(path -> states.put(path, watch.state(taps, path)));
        Optional<Long> packets = Optional.empty();
        for (Stored row : ingress) {
            long count = row.counters().map(DataPlane.Counters::packets).orElse(0L);
            if (row.entry() instanceof Copy copy && copy.group() == taps.group()) {
                sent.put(copy.path(), count);
            } else if (row.entry() instanceof Flow flow && flow.flowId() == taps.flowId()) {
                packets = Optional.of(packets.orElse(0L) + count);
            }
        }
        return new DirectionCounts(taps, arrivals, packets, sent, states);
    }

    private List<Stored> sent(Taps taps) {
        try {
            return dataPlane.read(taps.ingress());
        } catch (NodeUnavailableException away) {
            return List.of();
        }
    }

    /** Completes when the entries are gone, or remembered for a node that cannot be reached. */
    public CompletableFuture<Void> remove(String id) {
        return intents.withdraw(kind, List.of(id));
    }

    public Network network() {
        return intents.context().network();
    }
}
