// SPDX-License-Identifier: Apache-2.0
package org.sextant.northbound.trail;

import java.util.Optional;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.osgi.framework.Bundle;
import org.osgi.framework.BundleContext;
import org.osgi.framework.FrameworkUtil;
import org.osgi.util.tracker.ServiceTracker;

/**
 * The trail that there is now; none while the controller starts, and none outside of OSGi. It is looked for when it is first
 * asked for: apps make commands before this bundle has started.
 */
public final class Trails implements Supplier<Optional<Trail>>, AutoCloseable {
    private @Nullable ServiceTracker<Trail, Trail> tracker;

    @Override
    public synchronized Optional<Trail> get() {
        if (tracker == null) {
            tracker = open();
        }
        return tracker == null ? Optional.empty() : Optional.ofNullable(tracker.getService());
    }

    private static @Nullable ServiceTracker<Trail, Trail> open() {
        Bundle bundle = FrameworkUtil.getBundle(Trails.class);
        BundleContext context = bundle == null ? null : bundle.getBundleContext();
        if (context == null) {
            return null;
        }
        ServiceTracker<Trail, Trail> opened = new ServiceTracker<>(context, Trail.class, null);
        opened.open();
        return opened;
    }

    @Override
    public synchronized void close() {
        if (tracker != null) {
            tracker.close();
        }
    }
}
