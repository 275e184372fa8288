// SPDX-License-Identifier: Apache-2.0
package org.sextant.northbound.audit;

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
public final class CurrentAuditLog implements Supplier<Optional<AuditLog>>, AutoCloseable {
    private @Nullable ServiceTracker<AuditLog, AuditLog> tracker;

    @Override
    public synchronized Optional<AuditLog> get() {
        if (tracker == null) {
            tracker = open();
        }
        return tracker == null ? Optional.empty() : Optional.ofNullable(tracker.getService());
    }

    private static @Nullable ServiceTracker<AuditLog, AuditLog> open() {
        Bundle bundle = FrameworkUtil.getBundle(CurrentAuditLog.class);
        BundleContext context = bundle == null ? null : bundle.getBundleContext();
        if (context == null) {
            return null;
        }
        ServiceTracker<AuditLog, AuditLog> opened = new ServiceTracker<>(context, AuditLog.class, null);
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
