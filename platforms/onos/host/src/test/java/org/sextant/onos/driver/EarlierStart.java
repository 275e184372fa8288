// SPDX-License-Identifier: Apache-2.0
package org.sextant.onos.driver;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.util.List;
import java.util.Map;
import org.onosproject.net.driver.Behaviour;
import org.onosproject.net.driver.DefaultDriver;
import org.onosproject.net.driver.DefaultDriverProvider;
import org.onosproject.net.flow.FlowRuleProgrammable;

/** The classes of this bundle as another start of it has them: the same bytes, defined by another class loader. */
final class EarlierStart extends ClassLoader {
    private static final String PACKAGE = "org.sextant.onos.driver.";

    EarlierStart() {
        super(EarlierStart.class.getClassLoader());
    }

    @Override
    protected Class<?> loadClass(String name, boolean resolve) throws ClassNotFoundException {
        Class<?> known = findLoadedClass(name);
        if (known != null) {
            return known;
        }
        return name.startsWith(PACKAGE) ? define(name) : super.loadClass(name, resolve);
    }

    private Class<?> define(String name) throws ClassNotFoundException {
        try (InputStream bytes = getParent().getResourceAsStream(name.replace('.', '/') + ".class")) {
            if (bytes == null) {
                throw new ClassNotFoundException(name);
            }
            byte[] read = bytes.readAllBytes();
            return defineClass(name, read, 0, read.length);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** The provider that ONOS's PiPipeconfManager registers for the merge of the driver and a pipeconf. */
    DefaultDriverProvider merged(String name) {
        DefaultDriverProvider provider = new DefaultDriverProvider();
        provider.addDriver(driver(name, this));
        return provider;
    }

    static DefaultDriver driver(String name, ClassLoader loader) {
        try {
            Class<? extends Behaviour> rules =
                    loader.loadClass(ContractFlowRules.class.getName()).asSubclass(Behaviour.class);
            DefaultDriver agent = new DefaultDriver(
                    "srv6-agent",
                    List.of(),
                    "Sextant",
                    "any",
                    "any",
                    Map.of(FlowRuleProgrammable.class, rules),
                    Map.of());
            return new DefaultDriver(name, List.of(agent), "Sextant", "Linux", "any", Map.of(), Map.of());
        } catch (ClassNotFoundException e) {
            throw new IllegalStateException(e);
        }
    }
}
