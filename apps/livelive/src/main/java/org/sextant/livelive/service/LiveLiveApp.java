// SPDX-License-Identifier: Apache-2.0
package org.sextant.livelive.service;

import com.fasterxml.jackson.databind.node.ObjectNode;
import java.time.Clock;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import org.osgi.service.component.annotations.Activate;
import org.osgi.service.component.annotations.Component;
import org.osgi.service.component.annotations.Deactivate;
import org.osgi.service.component.annotations.Reference;
import org.sextant.core.calls.Daemons;
import org.sextant.core.history.Reading;
import org.sextant.core.intent.IntentKind;
import org.sextant.core.intent.IntentRef;
import org.sextant.core.intent.IntentStatus;
import org.sextant.core.intent.Intents;
import org.sextant.core.port.DataPlane;
import org.sextant.core.port.Subscription;
import org.sextant.core.shape.ObjectShape;
import org.sextant.kit.app.AppIntents;
import org.sextant.kit.app.AppWords;
import org.sextant.kit.app.EndFilters;
import org.sextant.kit.app.Filter;
import org.sextant.kit.app.Form;
import org.sextant.kit.app.IntentText;
import org.sextant.kit.app.Measures;
import org.sextant.kit.app.SrApp;
import org.sextant.livelive.LiveLive;
import org.sextant.livelive.LiveLiveShape;
import org.sextant.livelive.plan.CopyingKind;
import org.sextant.livelive.plan.LiveLiveCompiler;
import org.sextant.livelive.plan.LiveLiveKind;
import org.sextant.livelive.text.LiveLiveText;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Live-Live flows at {@code /srv6/livelive} and as {@code srv6:livelive…}; monitors the flows' paths. */
@Component(immediate = true)
public class LiveLiveApp implements SrApp<LiveLive>, Measures {
    private static final Logger LOG = LoggerFactory.getLogger(LiveLiveApp.class);
    /** The pause between two rounds, each of which waits for packets in flight. */
    private static final long WATCH_MILLIS = 500;

    @Reference
    protected Intents engine;

    @Reference
    protected DataPlane dataPlane;

    private final CopyingKind copying = new CopyingKind();
    private final LiveLiveKind kind = new LiveLiveKind(new LiveLiveCompiler());
    private List<Subscription> registered = List.of();
    FlowIntents flows;
    Watch watch;
    private ScheduledExecutorService clock;

    @Activate
    protected void activate() {
        registered = List.of(engine.register(copying), engine.register(kind));
        Readings readings = new Readings(dataPlane, duration -> Thread.sleep(duration.toMillis()));
        watch = new Watch(
                readings,
                Clock.systemUTC(),
                (flow, event) -> engine.report(event.report(new IntentRef(kind.name(), flow))));
        flows = new FlowIntents(engine, kind);
        clock = Daemons.clock("sextant-livelive");
        clock.scheduleWithFixedDelay(this::round, WATCH_MILLIS, WATCH_MILLIS, TimeUnit.MILLISECONDS);
    }

    private void round() {
        try {
            watch.round(flows.list());
        } catch (RuntimeException | Error e) {
            LOG.error("the paths of Live-Live flows could not be watched; tried again soon", e);
        }
    }

    @Deactivate
    protected void deactivate() {
        clock.shutdownNow();
        registered.forEach(Subscription::close);
    }

    @Override
    public List<IntentKind<?>> kinds() {
        return List.of(copying, kind);
    }

    @Override
    public String kind() {
        return LiveLiveKind.NAME;
    }

    @Override
    public List<Reading> measure() {
        return FlowMeasures.of(kind(), flows.list(), watch, System.nanoTime());
    }

    @Override
    public AppWords words() {
        return new LiveLiveWords();
    }

    @Override
    public List<Filter<LiveLive>> filters() {
        return List.of(
                EndFilters.source("", flow -> List.of(flow.from())),
                EndFilters.destination(flow -> List.of(flow.to())));
    }

    @Override
    public Optional<Form> form() {
        return Optional.of(LiveLiveWords.form());
    }

    @Override
    public AppIntents<LiveLive> intents() {
        return flows;
    }

    @Override
    public Optional<ObjectShape<LiveLive>> shape() {
        return Optional.of(LiveLiveShape.FLOW);
    }

    @Override
    public IntentText text() {
        return new LiveLiveText();
    }

    @Override
    public void look(IntentStatus<LiveLive> status) {
        watch.read(status.plan(), status.id());
    }

    @Override
    public void detail(IntentStatus<LiveLive> status, ObjectNode view) {
        LiveLiveView.detail(status.plan(), watch, view);
    }
}
