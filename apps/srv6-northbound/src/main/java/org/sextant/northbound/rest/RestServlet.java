// SPDX-License-Identifier: Apache-2.0
package org.sextant.northbound.rest;

import java.io.IOException;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import javax.servlet.GenericServlet;
import javax.servlet.Servlet;
import javax.servlet.ServletException;
import javax.servlet.ServletRequest;
import javax.servlet.ServletResponse;
import javax.servlet.http.HttpServletRequest;
import javax.servlet.http.HttpServletResponse;
import org.glassfish.jersey.servlet.ServletContainer;
import org.jspecify.annotations.Nullable;
import org.osgi.framework.Bundle;
import org.osgi.framework.BundleContext;
import org.osgi.framework.Constants;
import org.osgi.framework.Filter;
import org.osgi.framework.FrameworkUtil;
import org.osgi.framework.InvalidSyntaxException;
import org.osgi.framework.ServiceReference;
import org.osgi.framework.startlevel.BundleStartLevel;
import org.osgi.util.tracker.ServiceTracker;
import org.osgi.util.tracker.ServiceTrackerCustomizer;
import org.sextant.core.calls.Daemons;
import org.sextant.core.rest.RestResource;
import org.sextant.kit.app.SrApp;
import org.sextant.northbound.audit.CurrentAuditLog;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The one REST application at {@code /srv6}. It serves whatever {@link SrApp} and {@link RestResource} services there are:
 * when one comes or goes, another Jersey follows (after a short calm, so that a starting controller reloads once and not ten times).
 */
public class RestServlet extends GenericServlet implements ServiceTrackerCustomizer<Object, Object> {
    private static final long serialVersionUID = 1L;
    private static final long CALM_MILLIS = 150;
    private static final Logger LOG = LoggerFactory.getLogger(RestServlet.class);
    private static final Filter SERVICES = services(SrApp.class, RestResource.class);

    private final transient Set<Object> resources = ConcurrentHashMap.newKeySet();
    /** The resources that the current Jersey knows; the others come after the calm. */
    private transient volatile Set<Object> served = Set.of();

    private final transient AnnouncedPaths announced = new AnnouncedPaths();
    private final transient CurrentAuditLog trails = new CurrentAuditLog();
    private transient Succession applications;
    private transient BundleContext bundles;
    private transient ServiceTracker<Object, Object> tracker;
    private transient ScheduledThreadPoolExecutor reloader;
    private transient volatile java.util.concurrent.@Nullable Future<?> pending;

    private static Filter services(Class<?>... types) {
        String any = Stream.of(types)
                .map(type -> "(" + Constants.OBJECTCLASS + "=" + type.getName() + ")")
                .collect(Collectors.joining());
        try {
            return FrameworkUtil.createFilter("(|" + any + ")");
        } catch (InvalidSyntaxException e) {
            throw new IllegalStateException(e);
        }
    }

    @Override
    public void init() throws ServletException {
        super.init();
        applications = new Succession(application(served));
        reloader = Daemons.clock("sextant-rest-reload");
        bundles = FrameworkUtil.getBundle(RestServlet.class).getBundleContext();
        tracker = new ServiceTracker<>(bundles, SERVICES, this);
        tracker.open();
    }

    @Override
    public void destroy() {
        tracker.close();
        reloader.shutdownNow();
        applications.end();
        trails.close();
        super.destroy();
    }

    @Override
    public Object addingService(ServiceReference<Object> reference) {
        Object service = bundles.getService(reference);
        Object resource = service instanceof SrApp<?> app ? new AppResource<>(app) : service;
        resources.add(resource);
        reloadSoon();
        return resource;
    }

    @Override
    public void modifiedService(ServiceReference<Object> reference, Object resource) {
        // Properties of a resource say nothing to this servlet.
    }

    @Override
    public void removedService(ServiceReference<Object> reference, Object resource) {
        resources.remove(resource);
        bundles.ungetService(reference);
        reloadSoon();
    }

    private synchronized void reloadSoon() {
        ScheduledExecutorService executor = reloader;
        if (executor.isShutdown()) {
            return;
        }
        if (pending != null) {
            pending.cancel(false);
        }
        pending = executor.schedule(this::reloadNow, CALM_MILLIS, TimeUnit.MILLISECONDS);
    }

    @Override
    public void service(ServletRequest request, ServletResponse response) throws ServletException, IOException {
        if (request instanceof HttpServletRequest http
                && response instanceof HttpServletResponse answer
                && starting(http)) {
            answer.setHeader("Retry-After", "1");
            ErrorServlet.write(answer, 503, "the controller is starting: this part of it is not there yet");
        } else {
            applications.service(request, response);
        }
    }

    private boolean starting(HttpServletRequest request) {
        String path = request.getPathInfo();
        Stream<Bundle> toBeStarted = Stream.of(bundles.getBundles())
                .filter(bundle -> bundle.adapt(BundleStartLevel.class).isPersistentlyStarted());
        return path != null && announced.missing(path, toBeStarted, served);
    }

    private void reloadNow() {
        try {
            Set<Object> now = Set.copyOf(resources);
            applications.follow(application(now));
            served = now;
            LOG.info("rest resources={}", now.size());
        } catch (RuntimeException | ServletException e) {
            LOG.error("rest reload failed", e);
        }
    }

    private Servlet application(Set<Object> serving) throws ServletException {
        ServletContainer application =
                new ServletContainer(RestApplication.of(serving).register(new Recording(trails)));
        application.init(getServletConfig());
        return application;
    }
}
