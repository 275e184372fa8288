// SPDX-License-Identifier: Apache-2.0
package org.sextant.livelive.service;

import java.time.Clock;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import org.osgi.framework.BundleContext;
import org.osgi.framework.ServiceRegistration;
import org.osgi.service.component.annotations.Activate;
import org.osgi.service.component.annotations.Component;
import org.osgi.service.component.annotations.Deactivate;
import org.osgi.service.component.annotations.Reference;
import org.sextant.core.calls.Daemons;
import org.sextant.core.intent.IntentRef;
import org.sextant.core.intent.Intents;
import org.sextant.core.port.DataPlane;
import org.sextant.core.port.Subscription;
import org.sextant.livelive.plan.LiveLiveCompiler;
import org.sextant.livelive.plan.LiveLiveKind;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Makes flows known to the engine and {@link LiveLives} to REST and shell, and watches the flows' paths. */
@Component(
        immediate = true,
        service = {})
public class LiveLiveService {
    private static final Logger LOG = LoggerFactory.getLogger(LiveLiveService.class);
    private static final long WATCH_SECONDS = 2;

    @Reference
    protected Intents intents;

    @Reference
    protected DataPlane dataPlane;

    private Subscription registered;
    private ServiceRegistration<LiveLives> service;
    private ScheduledExecutorService clock;

    @Activate
    protected void activate(BundleContext context) {
        LiveLiveKind kind = new LiveLiveKind(new LiveLiveCompiler());
        registered = intents.register(kind);
        Readings readings = new Readings(dataPlane, duration -> Thread.sleep(duration.toMillis()));
        Watch watch = new Watch(
                readings,
                Clock.systemUTC(),
                (flow, event) -> intents.report(event.report(new IntentRef(kind.name(), flow))));
        LiveLives flows = new LiveLives(intents, kind, watch);
        clock = Daemons.clock("sextant-livelive");
        clock.scheduleWithFixedDelay(() -> round(flows), WATCH_SECONDS, WATCH_SECONDS, TimeUnit.SECONDS);
        service = context.registerService(LiveLives.class, flows, null);
    }

    private static void round(LiveLives flows) {
        try {
            flows.watch();
        } catch (RuntimeException e) {
            LOG.error("the paths of Live-Live flows could not be watched; tried again soon", e);
        }
    }

    @Deactivate
    protected void deactivate() {
        service.unregister();
        clock.shutdownNow();
        registered.close();
    }
}
