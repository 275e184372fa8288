// SPDX-License-Identifier: Apache-2.0
package org.sextant.livelive.service;

import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import org.sextant.core.Problem;
import org.sextant.core.ProblemException;
import org.sextant.core.intent.IntentKind;
import org.sextant.core.intent.Intents;
import org.sextant.core.intent.Plan;
import org.sextant.core.intent.Submission;
import org.sextant.core.intent.Submission.Outcome;
import org.sextant.kit.app.EngineIntents;
import org.sextant.livelive.LiveLive;

/** Flows of a running controller, none of which has packets of another: the copies of a packet carry the id of one flow. */
final class FlowIntents extends EngineIntents<LiveLive> {

    FlowIntents(Intents engine, IntentKind<LiveLive> kind) {
        super(engine, kind);
    }

    /** One list at a time: no other that has packets of these must be accepted meanwhile. */
    @Override
    public synchronized Submission<LiveLive> submit(List<LiveLive> flows) {
        return new Bulk(flows).submission();
    }

    @Override
    public Plan dryRun(LiveLive flow) {
        List<Problem> problems = stored().against(flow);
        if (!problems.isEmpty()) {
            throw new ProblemException(problems);
        }
        return super.dryRun(flow);
    }

    private Apart stored() {
        return nothing().with(list());
    }

    private Apart nothing() {
        return new Apart(network(), kind()::identity);
    }

    /**
     * A list on its way. As many as possible are stored in one step; before a flow is refused for one that is not stored yet,
     * that is stored, as it may be refused itself.
     */
    private final class Bulk {
        private final List<Outcome<LiveLive>> outcomes;
        private final Map<Integer, LiveLive> pending = new LinkedHashMap<>();
        private final List<CompletableFuture<Void>> settling = new ArrayList<>();
        private Apart stored = stored();
        private Apart waiting = nothing();

        Bulk(List<LiveLive> flows) {
            outcomes = new ArrayList<>(Collections.nCopies(flows.size(), null));
            for (int index = 0; index < flows.size(); index++) {
                take(index, flows.get(index));
            }
            flush();
        }

        private void take(int index, LiveLive flow) {
            if (!waiting.isEmpty() && !against(flow).isEmpty()) {
                flush();
            }
            List<Problem> problems = against(flow);
            if (problems.isEmpty()) {
                pending.put(index, flow);
                waiting.add(flow.name().orElse("in this list"), flow);
            } else {
                outcomes.set(index, new Outcome<>(Optional.empty(), false, problems));
            }
        }

        private List<Problem> against(LiveLive flow) {
            List<Problem> problems = stored.against(flow);
            return problems.isEmpty() ? waiting.against(flow) : problems;
        }

        private void flush() {
            if (!pending.isEmpty()) {
                Submission<LiveLive> part = FlowIntents.super.submit(List.copyOf(pending.values()));
                List<Integer> indexes = List.copyOf(pending.keySet());
                for (int i = 0; i < indexes.size(); i++) {
                    outcomes.set(indexes.get(i), part.outcomes().get(i));
                }
                settling.add(part.settled());
                pending.clear();
                stored = stored();
                waiting = nothing();
            }
        }

        Submission<LiveLive> submission() {
            return new Submission<>(outcomes, CompletableFuture.allOf(settling.toArray(CompletableFuture<?>[]::new)));
        }
    }
}
