// SPDX-License-Identifier: Apache-2.0
package org.sextant.northbound.health;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import javax.servlet.http.HttpServlet;
import javax.servlet.http.HttpServletRequest;
import javax.servlet.http.HttpServletResponse;
import org.jspecify.annotations.Nullable;
import org.osgi.framework.Bundle;
import org.osgi.framework.BundleContext;
import org.osgi.framework.FrameworkUtil;
import org.osgi.framework.startlevel.BundleStartLevel;
import org.osgi.util.tracker.ServiceTracker;
import org.sextant.core.access.Role;
import org.sextant.core.intent.Intents;
import org.sextant.northbound.access.Logins;
import org.sextant.northbound.audit.AuditLog;
import org.sextant.northbound.rest.ErrorServlet;

/**
 * Answers probes, also without credentials and while the controller starts: {@code GET /srv6/health} with 200 or 503 by readiness,
 * {@code GET /srv6/health/live} by liveness. The reasons are for callers that may read.
 */
public class HealthServlet extends HttpServlet {
    private static final long serialVersionUID = 1L;
    private static final String OWN_BUNDLES = "org.sextant.";

    private final transient EngineProgress progress = new EngineProgress();
    private transient @Nullable ServiceTracker<Intents, Intents> engine;
    private transient @Nullable ServiceTracker<Logins, Logins> logins;
    private transient @Nullable ServiceTracker<AuditLog, AuditLog> auditLog;

    @Override
    public void init() {
        BundleContext context = FrameworkUtil.getBundle(HealthServlet.class).getBundleContext();
        engine = opened(context, Intents.class);
        logins = opened(context, Logins.class);
        auditLog = opened(context, AuditLog.class);
    }

    private static <S> ServiceTracker<S, S> opened(BundleContext context, Class<S> type) {
        ServiceTracker<S, S> tracker = new ServiceTracker<>(context, type, null);
        tracker.open();
        return tracker;
    }

    @Override
    public void destroy() {
        Stream.of(Optional.ofNullable(engine), Optional.ofNullable(logins), Optional.ofNullable(auditLog))
                .flatMap(Optional::stream)
                .forEach(ServiceTracker::close);
    }

    /** The present health. */
    protected Health health() {
        Optional<Intents> intents = Optional.ofNullable(engine).map(ServiceTracker::getService);
        return Health.of(new Health.Parts(
                Optional.ofNullable(logins).map(ServiceTracker::getService).isPresent(),
                Optional.ofNullable(auditLog).map(ServiceTracker::getService).isPresent(),
                intents.isPresent(),
                intents.flatMap(present -> progress.stuck(present.load(), System.nanoTime())),
                unstarted()));
    }

    private static List<String> unstarted() {
        BundleContext context = FrameworkUtil.getBundle(HealthServlet.class).getBundleContext();
        return Stream.of(context.getBundles())
                .filter(bundle -> ("" + bundle.getSymbolicName()).startsWith(OWN_BUNDLES))
                .filter(bundle -> bundle.adapt(BundleStartLevel.class).isPersistentlyStarted())
                .filter(bundle -> bundle.getState() != Bundle.ACTIVE)
                .map(Bundle::getSymbolicName)
                .sorted()
                .toList();
    }

    @Override
    protected void service(HttpServletRequest request, HttpServletResponse response) throws IOException {
        response.setHeader("Cache-Control", "no-store");
        response.setHeader("X-Content-Type-Options", "nosniff");
        String path = Optional.ofNullable(request.getPathInfo()).orElse("");
        if (!path.isEmpty() && !path.equals("/") && !path.equals("/live")) {
            ErrorServlet.write(response, HttpServletResponse.SC_NOT_FOUND);
        } else if (!List.of("GET", "HEAD").contains(request.getMethod())) {
            response.setHeader("Allow", "GET, HEAD");
            ErrorServlet.write(response, HttpServletResponse.SC_METHOD_NOT_ALLOWED);
        } else {
            Health health = health();
            boolean well = path.equals("/live") ? health.live() : health.ready();
            if (!well) {
                response.setHeader("Retry-After", "1");
            }
            response.setStatus(well ? HttpServletResponse.SC_OK : HttpServletResponse.SC_SERVICE_UNAVAILABLE);
            response.setContentType("application/json");
            boolean detailed = request.isUserInRole(Role.VIEWER.word());
            response.getOutputStream().write(health.view(detailed).toString().getBytes(StandardCharsets.UTF_8));
        }
    }
}
