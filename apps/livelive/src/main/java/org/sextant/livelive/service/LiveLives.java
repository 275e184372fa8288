// SPDX-License-Identifier: Apache-2.0
package org.sextant.livelive.service;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
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
import org.sextant.core.port.Coordination;
import org.sextant.core.port.Store;
import org.sextant.kit.Findings;
import org.sextant.livelive.Accepted;
import org.sextant.livelive.LiveLive;
import org.sextant.livelive.Numbers;
import org.sextant.livelive.plan.FlowEnds;
import org.sextant.livelive.plan.LiveLiveCompiler;
import org.sextant.livelive.plan.LiveLiveKind;
import org.sextant.livelive.plan.Taps;
import org.sextant.livelive.service.LiveLiveView.DirectionCounts;

/** The Live-Live flows of a running controller. Callable from any thread. */
public final class LiveLives {
    private final Intents intents;
    private final LiveLiveKind kind;
    private final LiveLiveCompiler compiler;
    private final Watch watch;
    private final Store store;
    private final Coordination coordination;

    /** The coordination key of the controller that settles what two controllers numbered alike. */
    static final String NUMBERING = "livelive";

    LiveLives(
            Intents intents,
            LiveLiveKind kind,
            LiveLiveCompiler compiler,
            Watch watch,
            Store store,
            Coordination coordination) {
        this.intents = intents;
        this.kind = kind;
        this.compiler = compiler;
        this.watch = watch;
        this.store = store;
        this.coordination = coordination;
    }

    /** What became of a flow: its status, and whether it is new or changed. */
    public record Receipt(
            IntentStatus<Accepted> status, boolean created, boolean changed, CompletableFuture<Void> settled) {}

    /**
     * Stores and installs a flow. One at a time: the numbers that it gets must still be free when it is stored.
     *
     * @throws ProblemException if it is not accepted
     */
    public synchronized Receipt submit(LiveLive flow) {
        Proposal proposal = accept(flow);
        boolean created = existing(flow).isEmpty();
        // Before the flow: what is given twice is worse than what is never given.
        if (!proposal.turn().equals(Turn.of(store))) {
            proposal.turn().keep(store);
        }
        Submission<Accepted> submission = intents.submit(kind, List.of(proposal.accepted()));
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
        Plan plan = intents.dryRun(kind, accept(flow).accepted()).plan();
        if (!plan.feasible()) {
            throw new ProblemException(plan.problems());
        }
        return plan;
    }

    /** @param turn whose turn it is if the flow gets these numbers */
    private record Proposal(Accepted accepted, Turn turn) {}

    /** The flow with its numbers: those it has already, or free ones. */
    private Proposal accept(LiveLive flow) {
        CompileContext context = intents.context();
        Findings findings = new Findings();
        Optional<FlowEnds> ends = FlowEnds.resolve(flow, context.network(), findings);
        if (!findings.clean()) {
            throw new ProblemException(findings.problems());
        }
        Optional<IntentStatus<Accepted>> existing = existing(flow);
        List<IntentStatus<Accepted>> others = intents.list(kind).stream()
                .filter(other ->
                        existing.isEmpty() || !other.id().equals(existing.get().id()))
                .toList();
        refuseOverlap(flow, ends.orElseThrow(), others, context.network());
        Proposal proposal = numbered(flow, existing, others, context.network());
        Plan plan = compiler.admit(new Numbered<>(flow.name().orElse("new"), 1, proposal.accepted()), context);
        if (!plan.feasible()) {
            throw new ProblemException(plan.problems());
        }
        return proposal;
    }

    private Proposal numbered(
            LiveLive flow,
            Optional<IntentStatus<Accepted>> existing,
            List<IntentStatus<Accepted>> others,
            Network network) {
        List<Numbers> had =
                existing.map(known -> known.intent().intent().numbers()).orElse(List.of());
        List<Optional<String>> egresses = Settlement.egresses(flow, network);
        Allocation allocation = Settlement.among(others, network, Turn.of(store));
        List<Optional<Numbers>> kept = new ArrayList<>();
        for (int i = 0; i < egresses.size(); i++) {
            // A flow that is to end at another node may meet its window there.
            boolean free = i < had.size() && !allocation.taken(had.get(i), egresses.get(i));
            kept.add(free ? Optional.of(had.get(i)) : Optional.empty());
        }
        had.forEach(numbers -> allocation.take(numbers, Optional.empty()));
        List<Numbers> numbers = new ArrayList<>();
        for (int i = 0; i < egresses.size(); i++) {
            String egress = egresses.get(i).orElseThrow();
            numbers.add(kept.get(i).orElseGet(() -> allocation.next(egress)));
        }
        return new Proposal(new Accepted(flow, numbers), allocation.turn());
    }

    /** Gives other numbers to a flow that has what another one has. One controller does, and all see it as any other change. */
    synchronized void settle() {
        if (!coordination.isMine(NUMBERING)) {
            return;
        }
        Turn turn = Turn.of(store);
        Settlement.Result result = Settlement.of(intents.list(kind), network(), turn);
        if (!result.renumbered().isEmpty()) {
            result.turn().keep(store);
            intents.submit(kind, List.copyOf(result.renumbered().values()));
        }
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
                                        + there.from().label() + " to "
                                        + there.to().label(),
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

    /** A flow that was deleted and of which nodes may still have entries. */
    public Optional<ObjectNode> leaving(String id) {
        return intents.get(kind, id)
                .filter(status -> status.state() == IntentState.REMOVING)
                .map(this::known);
    }

    /** By id; deleted ones of which nodes may have entries included. */
    public List<IntentStatus<Accepted>> list() {
        return intents.list(kind);
    }

    /** Reads the counters of all flows, and tells of paths and directions that deliver otherwise than before. */
    void watch() {
        watch.round(list());
    }

    /**
     * A flow with what its paths deliver, read from the nodes now: that takes as long as its packets may be under way. What a
     * node that does not answer would say is left out.
     *
     * @throws ProblemException if the flow is not there
     */
    public ObjectNode view(String id) {
        watch.read(get(id));
        return known(get(id));
    }

    /** All flows with what was last read of their paths, by id. */
    public ArrayNode views() {
        ArrayNode views = JsonNodeFactory.instance.arrayNode();
        list().forEach(status -> views.add(known(status)));
        return views;
    }

    private ObjectNode known(IntentStatus<Accepted> status) {
        List<DirectionCounts> counts =
                Taps.of(status.plan()).stream().map(watch::counts).toList();
        return LiveLiveView.of(status, counts, watch.events(status.plan()));
    }

    /**
     * Completes when the entries are gone, or remembered for a node that cannot be reached.
     *
     * @throws ProblemException if the flow is not there
     */
    public CompletableFuture<Void> remove(String id) {
        get(id);
        return intents.withdraw(kind, List.of(id));
    }

    public Network network() {
        return intents.context().network();
    }
}
