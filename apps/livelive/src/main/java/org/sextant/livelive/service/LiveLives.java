// SPDX-License-Identifier: Apache-2.0
package org.sextant.livelive.service;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import org.sextant.core.Problem;
import org.sextant.core.Problem.Code;
import org.sextant.core.ProblemException;
import org.sextant.core.intent.IntentState;
import org.sextant.core.intent.IntentStatus;
import org.sextant.core.intent.Intents;
import org.sextant.core.intent.Plan;
import org.sextant.core.intent.Submission;
import org.sextant.core.net.Network;
import org.sextant.kit.Findings;
import org.sextant.livelive.LiveLive;
import org.sextant.livelive.plan.FlowEnds;
import org.sextant.livelive.plan.LiveLiveKind;
import org.sextant.livelive.plan.Taps;
import org.sextant.livelive.service.LiveLiveView.DirectionCounts;

/** The Live-Live flows of a running controller. Callable from any thread. */
public final class LiveLives {
    private final Intents intents;
    private final LiveLiveKind kind;
    private final Watch watch;

    LiveLives(Intents intents, LiveLiveKind kind, Watch watch) {
        this.intents = intents;
        this.kind = kind;
        this.watch = watch;
    }

    /** What became of a flow: its status, and whether it is new or changed. */
    public record Receipt(
            IntentStatus<LiveLive> status, boolean created, boolean changed, CompletableFuture<Void> settled) {}

    /**
     * Stores and installs a flow. One at a time: no other that has its packets must be accepted meanwhile.
     *
     * @throws ProblemException if it is not accepted
     */
    public synchronized Receipt submit(LiveLive flow) {
        boolean created = requireApart(flow).isEmpty();
        Submission<LiveLive> submission = intents.submit(kind, List.of(flow));
        Submission.Outcome<LiveLive> outcome = submission.outcomes().get(0);
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
    public Plan dryRun(LiveLive flow) {
        requireApart(flow);
        Plan plan = intents.dryRun(kind, flow).plan();
        if (!plan.feasible()) {
            throw new ProblemException(plan.problems());
        }
        return plan;
    }

    /** The flow that this one would replace; refuses one whose packets another flow has. */
    private Optional<IntentStatus<LiveLive>> requireApart(LiveLive flow) {
        Network network = network();
        Findings findings = new Findings();
        Optional<FlowEnds> ends = FlowEnds.resolve(flow, network, findings);
        if (!findings.clean()) {
            throw new ProblemException(findings.problems());
        }
        Optional<IntentStatus<LiveLive>> existing = existing(flow);
        List<IntentStatus<LiveLive>> others = intents.list(kind).stream()
                .filter(other ->
                        existing.isEmpty() || !other.id().equals(existing.get().id()))
                .toList();
        refuseOverlap(flow, ends.orElseThrow(), others, network);
        return existing;
    }

    private Optional<IntentStatus<LiveLive>> existing(LiveLive flow) {
        String identity = kind.identity(flow);
        return intents.list(kind).stream()
                .filter(status -> status.state() != IntentState.REMOVING)
                .filter(status -> kind.identity(status.intent().intent()).equals(identity))
                .findFirst();
    }

    /** A packet belongs to one flow at most: its copies carry one flow id. */
    private static void refuseOverlap(
            LiveLive flow, FlowEnds ends, List<IntentStatus<LiveLive>> others, Network network) {
        for (IntentStatus<LiveLive> other : others) {
            if (other.state() == IntentState.REMOVING) {
                continue;
            }
            LiveLive theirs = other.intent().intent();
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
    public IntentStatus<LiveLive> get(String id) {
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
    public List<IntentStatus<LiveLive>> list() {
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

    private ObjectNode known(IntentStatus<LiveLive> status) {
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
