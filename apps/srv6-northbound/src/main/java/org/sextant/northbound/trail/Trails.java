// SPDX-License-Identifier: Apache-2.0
package org.sextant.northbound.trail;

import java.util.Optional;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.osgi.framework.Bundle;
import org.osgi.framework.FrameworkUtil;
import org.osgi.util.tracker.ServiceTracker;

/** The trail that there is now; none while the controller starts, and none outside of OSGi. */
public final class Trails implements Supplier<Optional<Trail>>, AutoCloseable {
    private final @Nullable ServiceTracker<Trail, Trail> tracker;

    public Trails() {
        Bundle bundle = FrameworkUtil.getBundle(Trails.class);
        tracker = bundle == null ? null : new ServiceTracker<>(bundle.getBundleContext(), Trail.class, null);
        if (tracker != null) {
            tracker.open();
        }
    }

    @Override
    public Optional<Trail> get() {
        return tracker == null ? Optional.empty() : Optional.ofNullable(tracker.getService());
    }

    @Override
    public void close() {
        if (tracker != null) {
            tracker.close();
        }
    }
}
