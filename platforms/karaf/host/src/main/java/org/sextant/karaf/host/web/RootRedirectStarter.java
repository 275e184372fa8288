// SPDX-License-Identifier: Apache-2.0
package org.sextant.karaf.host.web;

import java.nio.file.Path;
import java.util.Dictionary;
import java.util.Hashtable;
import org.eclipse.jetty.server.Handler;
import org.jspecify.annotations.Nullable;
import org.osgi.framework.Bundle;
import org.osgi.framework.BundleActivator;
import org.osgi.framework.BundleContext;
import org.osgi.framework.BundleEvent;
import org.osgi.framework.Constants;
import org.osgi.framework.ServiceRegistration;
import org.osgi.framework.SynchronousBundleListener;

/**
 * Hands the {@link RootRedirect} to the web container at the moment at which the part of it that takes handlers has
 * started: that part fails if there is one before (its tracker opens before the list that it fills), and a moment later
 * another part listens. Not a component, because the runtime of those starts later than the container.
 */
public final class RootRedirectStarter implements BundleActivator, SynchronousBundleListener {
    private static final String TAKES_HANDLERS = "org.ops4j.pax.web.pax-web-jetty";

    private @Nullable BundleContext context;
    private @Nullable ServiceRegistration<Handler> registered;

    @Override
    public synchronized void start(BundleContext own) {
        context = own;
        own.addBundleListener(this);
        for (Bundle bundle : own.getBundles()) {
            if (TAKES_HANDLERS.equals(bundle.getSymbolicName()) && bundle.getState() == Bundle.ACTIVE) {
                open();
            }
        }
    }

    @Override
    public synchronized void bundleChanged(BundleEvent event) {
        if (!TAKES_HANDLERS.equals(event.getBundle().getSymbolicName())) {
            return;
        }
        if (event.getType() == BundleEvent.STARTED) {
            open();
        } else if (event.getType() == BundleEvent.STOPPED) {
            shut();
        }
    }

    private void open() {
        if (registered == null && context != null) {
            Path https =
                    Path.of(context.getProperty("karaf.etc")).resolve("sextant").resolve("https");
            Dictionary<String, Object> inFront = new Hashtable<>();
            inFront.put(Constants.SERVICE_RANKING, 1);
            registered = context.registerService(Handler.class, new RootRedirect(https), inFront);
        }
    }

    private void shut() {
        if (registered != null) {
            registered.unregister();
            registered = null;
        }
    }

    @Override
    public synchronized void stop(BundleContext own) {
        own.removeBundleListener(this);
        shut();
        context = null;
    }
}
