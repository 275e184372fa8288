// SPDX-License-Identifier: Apache-2.0
package org.sextant.karaf.host;

import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Map;
import org.osgi.framework.BundleContext;
import org.osgi.framework.ServiceRegistration;
import org.osgi.service.component.annotations.Activate;
import org.osgi.service.component.annotations.Component;
import org.osgi.service.component.annotations.Deactivate;
import org.sextant.core.intent.Intents;
import org.sextant.core.port.Backups;
import org.sextant.core.port.Coordination;
import org.sextant.core.port.DataPlane;
import org.sextant.core.port.FirewallTelemetry;
import org.sextant.core.port.Inventory;
import org.sextant.core.port.LinkDelayTelemetry;
import org.sextant.core.port.LivenessTelemetry;
import org.sextant.core.port.Member;
import org.sextant.core.port.Pinger;
import org.sextant.core.port.Store;
import org.sextant.core.port.StoreTelemetry;
import org.sextant.core.port.Telemetry;

/** Starts the controller with etc/org.sextant.cfg and offers its parts as services; a changed file starts it again. */
@Component(
        immediate = true,
        service = {},
        configurationPid = "org.sextant")
public final class ControllerComponent {
    private final Deque<ServiceRegistration<?>> services = new ArrayDeque<>();
    private Controller controller;

    @Activate
    void activate(BundleContext context, Map<String, Object> properties) {
        Settings settings = Settings.of(properties, folder(context, "karaf.base"), folder(context, "karaf.etc"));
        String version = context.getBundle().getVersion().toString();
        controller = new Controller(settings, Member.alone(version, Instant.now()));
        offer(context, Store.class, controller.store());
        offer(context, Backups.class, controller.store());
        offer(context, StoreTelemetry.class, controller.store());
        offer(context, Coordination.class, controller.coordination());
        offer(context, Inventory.class, controller.inventory());
        offer(context, DataPlane.class, controller.dataPlane());
        offer(context, Telemetry.class, controller.dataPlane());
        offer(context, FirewallTelemetry.class, controller.dataPlane());
        offer(context, LivenessTelemetry.class, controller.dataPlane());
        offer(context, LinkDelayTelemetry.class, controller.dataPlane());
        offer(context, Pinger.class, controller.dataPlane());
        offer(context, Intents.class, controller.engine());
    }

    private <T> void offer(BundleContext context, Class<T> port, T service) {
        services.push(context.registerService(port, service, null));
    }

    private static Path folder(BundleContext context, String property) {
        return Path.of(context.getProperty(property));
    }

    @Deactivate
    void deactivate() {
        while (!services.isEmpty()) {
            services.pop().unregister();
        }
        controller.close();
    }
}
