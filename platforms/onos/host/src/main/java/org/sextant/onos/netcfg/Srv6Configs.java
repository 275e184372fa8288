// SPDX-License-Identifier: Apache-2.0
package org.sextant.onos.netcfg;

import java.util.List;
import java.util.function.Supplier;
import org.onosproject.net.config.Config;
import org.onosproject.net.config.ConfigFactory;
import org.onosproject.net.config.NetworkConfigRegistry;
import org.onosproject.net.config.SubjectFactory;
import org.onosproject.net.config.basics.SubjectFactories;

/** The {@code srv6} sections of netcfg: registered, ONOS checks them when they come, and refuses invalid ones. */
public final class Srv6Configs {
    private static final String KEY = "srv6";

    private Srv6Configs() {}

    /** Registers all of them; the result unregisters them again. */
    public static Runnable register(NetworkConfigRegistry registry) {
        List<ConfigFactory<?, ?>> factories = List.of(
                factory(SubjectFactories.APP_SUBJECT_FACTORY, Srv6AppConfig.class, Srv6AppConfig::new),
                factory(SubjectFactories.DEVICE_SUBJECT_FACTORY, Srv6DeviceConfig.class, Srv6DeviceConfig::new),
                factory(SubjectFactories.CONNECT_POINT_SUBJECT_FACTORY, Srv6PortConfig.class, Srv6PortConfig::new),
                factory(SubjectFactories.LINK_SUBJECT_FACTORY, Srv6LinkConfig.class, Srv6LinkConfig::new));
        factories.forEach(registry::registerConfigFactory);
        return () -> factories.forEach(registry::unregisterConfigFactory);
    }

    private static <S, C extends Config<S>> ConfigFactory<S, C> factory(
            SubjectFactory<S> subject, Class<C> type, Supplier<C> maker) {
        return new ConfigFactory<>(subject, type, KEY) {
            @Override
            public C createConfig() {
                return maker.get();
            }
        };
    }
}
