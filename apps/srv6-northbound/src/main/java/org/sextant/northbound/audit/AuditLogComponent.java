// SPDX-License-Identifier: Apache-2.0
package org.sextant.northbound.audit;

import java.nio.file.Path;
import java.time.Clock;
import java.util.Map;
import java.util.Optional;
import org.osgi.framework.BundleContext;
import org.osgi.framework.ServiceRegistration;
import org.osgi.service.component.annotations.Activate;
import org.osgi.service.component.annotations.Component;
import org.osgi.service.component.annotations.Deactivate;

/** Offers the trail as etc/org.sextant.audit.cfg says; a changed file opens it again. */
@Component(
        immediate = true,
        service = {},
        configurationPid = "org.sextant.audit")
public final class AuditLogComponent {
    private Optional<Syslog> syslog = Optional.empty();
    private AuditLog trail;
    private Anchors anchors;
    private ServiceRegistration<AuditLog> service;

    @Activate
    void activate(BundleContext context, Map<String, Object> properties) {
        AuditLogSettings settings =
                AuditLogSettings.of(properties, folder(context, "karaf.base"), folder(context, "karaf.etc"));
        syslog = settings.syslog().map(Syslog::new);
        trail = new AuditLog(settings, Clock.systemUTC(), line -> syslog.ifPresent(to -> to.accept(line)));
        anchors = new Anchors(trail, settings, line -> syslog.ifPresent(to -> to.accept(line)));
        service = context.registerService(AuditLog.class, trail, null);
    }

    private static Path folder(BundleContext context, String property) {
        return Path.of(context.getProperty(property));
    }

    @Deactivate
    void deactivate() {
        service.unregister();
        anchors.close();
        trail.close();
        syslog.ifPresent(Syslog::close);
    }
}
