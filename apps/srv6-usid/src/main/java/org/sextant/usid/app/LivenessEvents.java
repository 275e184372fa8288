// SPDX-License-Identifier: Apache-2.0
package org.sextant.usid.app;

import com.fasterxml.jackson.databind.node.ArrayNode;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.osgi.service.component.annotations.Activate;
import org.osgi.service.component.annotations.Component;
import org.osgi.service.component.annotations.Deactivate;
import org.osgi.service.component.annotations.Reference;
import org.osgi.service.component.annotations.ReferenceCardinality;
import org.osgi.service.component.annotations.ReferencePolicyOption;
import org.sextant.core.intent.EngineEvent;
import org.sextant.core.intent.IntentState;
import org.sextant.core.intent.IntentStatus;
import org.sextant.core.intent.Intents;
import org.sextant.core.intent.NodeStatus;
import org.sextant.core.port.LivenessTelemetry;
import org.sextant.core.port.LivenessTelemetry.Seen;
import org.sextant.core.port.Subscription;
import org.sextant.kit.app.EventSource;
import org.sextant.kit.app.ProbeLoad;
import org.sextant.kit.path.PolicyOffer;
import org.sextant.usid.Policy;
import org.sextant.usid.plan.LivenessList;
import org.sextant.usid.plan.PolicyCompiler;
import org.sextant.usid.plan.PolicyKind;

/**
 * The liveness of candidate paths by the reports of their headends, for the view of a policy and as events
 * {@code policyLiveness}. The controller subscribes to nodes while a policy has liveness detection. Reports never
 * change a plan: a path that is down stays installed, so that its recovery is detected. A host without
 * {@link LivenessTelemetry} reports nothing.
 */
@Component(
        immediate = true,
        service = {EventSource.class, ProbeLoad.class, LivenessEvents.class})
public class LivenessEvents implements EventSource, ProbeLoad {
    static final String CHANGED = "policyLiveness";

    @Reference
    protected Intents engine;

    @Reference(cardinality = ReferenceCardinality.OPTIONAL, policyOption = ReferencePolicyOption.GREEDY)
    protected @Nullable LivenessTelemetry telemetry;

    /** Only queries the engine; the app registers its own kind, which compiles. */
    private final PolicyKind kind = new PolicyKind(new PolicyCompiler());

    private final LivenessReports lists = new LivenessReports();
    private final ProbeSums load = new ProbeSums();
    private Optional<Subscription> changes = Optional.empty();
    private Optional<Subscription> hearing = Optional.empty();
    private volatile Runnable anew = () -> {};

    @Activate
    protected synchronized void activate() {
        changes = Optional.of(engine.listen(this::follow));
        engine.list(kind).forEach(this::has);
        hear();
    }

    @Deactivate
    protected synchronized void deactivate() {
        changes.ifPresent(Subscription::close);
        changes = Optional.empty();
        hearing.ifPresent(Subscription::close);
        hearing = Optional.empty();
    }

    private void follow(EngineEvent event) {
        if (event instanceof EngineEvent.IntentChanged changed
                && changed.intent().kind().equals(PolicyOffer.KIND)) {
            engine.get(kind, changed.intent().id()).ifPresent(this::has);
            hear();
        }
        if (event instanceof EngineEvent.IntentRemoved gone
                && gone.intent().kind().equals(PolicyOffer.KIND)) {
            forget(gone.intent().id());
            hear();
        }
        if (event instanceof EngineEvent.NodeChanged changed && changed.node().state() == NodeStatus.State.LOST) {
            if (lists.lost(changed.node().node())) {
                anew.run();
            }
        }
    }

    private void has(IntentStatus<Policy> status) {
        if (status.state() == IntentState.REMOVING) {
            forget(status.id());
        } else {
            lists.has(status.id(), LivenessList.of(status.plan()));
            load.put(status.id(), LivenessList.probeLoad(status.plan()));
        }
    }

    private void forget(String policy) {
        lists.has(policy, List.of());
        load.put(policy, Map.of());
    }

    private synchronized void hear() {
        LivenessTelemetry host = telemetry;
        if (host == null || changes.isEmpty()) {
            return;
        }
        if (lists.isEmpty()) {
            hearing.ifPresent(Subscription::close);
            hearing = Optional.empty();
        } else if (hearing.isEmpty()) {
            hearing = Optional.of(host.onLiveness(this::saw));
        }
    }

    private void saw(Seen seen) {
        if (lists.saw(seen)) {
            anew.run();
        }
    }

    @Override
    public Subscription listen(Runnable somethingIsNew) {
        anew = somethingIsNew;
        lists.tell(true);
        return () -> {
            anew = () -> {};
            lists.tell(false);
        };
    }

    @Override
    public List<Told> take() {
        List<Told> told =
                lists.take().map(changed -> new Told(CHANGED, changed)).stream().toList();
        if (lists.somethingIsNew()) {
            anew.run();
        }
        return told;
    }

    @Override
    public Map<String, Long> bitsPerSecond() {
        return load.bitsPerSecond();
    }

    /** The candidate paths of a policy with liveness detection, the active one first; empty if it has none. */
    Optional<ArrayNode> paths(String policy) {
        return lists.paths(policy);
    }

    /** The probe counters of all paths of a policy, summed; empty without liveness detection or reports. */
    Optional<ProbeTotals> probed(String policy) {
        return lists.probed(policy);
    }
}
