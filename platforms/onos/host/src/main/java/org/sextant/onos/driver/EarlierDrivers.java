// SPDX-License-Identifier: Apache-2.0
package org.sextant.onos.driver;

import java.util.Collection;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.onosproject.net.AbstractProjectableModel;
import org.onosproject.net.Device;
import org.onosproject.net.driver.Behaviour;
import org.onosproject.net.driver.Driver;
import org.onosproject.net.driver.DriverProvider;

/**
 * Drivers whose behaviours are classes of an earlier start of this bundle. ONOS keeps them in two places when the application is
 * upgraded: it never unregisters a driver that it merged with a pipeconf ({@code srv6-linux:org.sextant.linux}), and a device
 * keeps the driver that it once looked up. Behaviours of a bundle that is gone find no service of the new one.
 *
 * <p>A pure function of ONOS's registrations.
 */
final class EarlierDrivers {
    private static final String PACKAGE = EarlierDrivers.class.getPackageName() + ".";

    private final ClassLoader loader;

    /** @param loader of the classes that are of this start */
    EarlierDrivers(ClassLoader loader) {
        this.loader = loader;
    }

    /** Providers that have nothing but drivers of an earlier start. */
    List<DriverProvider> providers(Collection<DriverProvider> all) {
        return all.stream()
                .filter(provider -> {
                    Set<Driver> drivers = provider.getDrivers();
                    return !drivers.isEmpty() && drivers.stream().allMatch(this::contains);
                })
                .toList();
    }

    /** True if ONOS would use behaviours of an earlier start for this device. */
    boolean serve(Device device) {
        return device instanceof AbstractProjectableModel model && contains(model.driver());
    }

    private boolean contains(@Nullable Driver driver) {
        return driver != null
                && (driver.behaviours().stream().map(driver::implementation).anyMatch(this::isEarlier)
                        || driver.parents() != null && driver.parents().stream().anyMatch(this::contains));
    }

    private boolean isEarlier(@Nullable Class<? extends Behaviour> implementation) {
        return implementation != null
                && implementation.getName().startsWith(PACKAGE)
                && implementation.getClassLoader() != loader;
    }
}
