// SPDX-License-Identifier: Apache-2.0
package org.sextant.onos.driver;

import java.io.IOException;
import java.util.Set;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.onosproject.net.driver.Driver;
import org.onosproject.net.driver.DriverAdminService;
import org.onosproject.net.driver.DriverListener;
import org.onosproject.net.driver.DriverProvider;
import org.onosproject.net.driver.XmlDriverLoader;
import org.osgi.service.component.annotations.Activate;
import org.osgi.service.component.annotations.Component;
import org.osgi.service.component.annotations.Deactivate;
import org.osgi.service.component.annotations.Reference;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Brings the drivers of srv6-drivers.xml to ONOS as soon as those that they extend are there. ONOS starts applications
 * in the order of their needs, but their components when it can; its own loader gives up where a parent is late.
 *
 * <p>Drivers that ONOS merged from those of an earlier start of this bundle go, so that it merges these ones with the pipeconfs.
 */
@Component(immediate = true, service = Srv6DriversLoader.class)
public final class Srv6DriversLoader {
    private static final Logger LOG = LoggerFactory.getLogger(Srv6DriversLoader.class);
    private static final Set<String> PARENTS = Set.of("p4runtime", "gnmi");

    private final DriverListener listener = event -> load();
    private @Nullable DriverProvider provider;

    @Reference
    DriverAdminService drivers;

    /** ONOS can merge a driver only with a pipeconf that is there. */
    @Reference
    PipeconfLoader pipeconfs;

    @Activate
    void activate() {
        drivers.addListener(listener);
        load();
    }

    @Deactivate
    void deactivate() {
        drivers.removeListener(listener);
        synchronized (this) {
            if (provider != null) {
                drivers.unregisterProvider(provider);
                provider = null;
            }
        }
    }

    synchronized boolean loaded() {
        return provider != null;
    }

    /** True if this loader has registered a driver of this name. */
    synchronized boolean has(@Nullable String name) {
        return provider != null
                && provider.getDrivers().stream()
                        .anyMatch(driver -> driver.name().equals(name));
    }

    private synchronized void load() {
        Set<String> known = drivers.getDrivers().stream().map(Driver::name).collect(Collectors.toSet());
        if (provider != null || !known.containsAll(PARENTS)) {
            return;
        }
        try {
            provider = new XmlDriverLoader(getClass().getClassLoader(), drivers)
                    .loadDrivers(getClass().getResourceAsStream("/srv6-drivers.xml"), drivers);
        } catch (IOException e) {
            throw new IllegalStateException("the drivers in this bundle are damaged; build it again", e);
        }
        drivers.registerProvider(provider);
        new EarlierDrivers(getClass().getClassLoader())
                .providers(drivers.getProviders())
                .forEach(drivers::unregisterProvider);
        LOG.info(
                "drivers={}",
                provider.getDrivers().stream().map(Driver::name).sorted().toList());
    }
}
