// SPDX-License-Identifier: Apache-2.0
package org.sextant.onos.driver;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import java.lang.reflect.Proxy;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.DisplayNameGeneration;
import org.junit.jupiter.api.DisplayNameGenerator.ReplaceUnderscores;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.onlab.packet.ChassisId;
import org.onosproject.cluster.NodeId;
import org.onosproject.mastership.MastershipServiceAdapter;
import org.onosproject.net.DefaultDevice;
import org.onosproject.net.Device;
import org.onosproject.net.DeviceId;
import org.onosproject.net.config.Config;
import org.onosproject.net.config.NetworkConfigEvent;
import org.onosproject.net.config.NetworkConfigListener;
import org.onosproject.net.config.NetworkConfigServiceAdapter;
import org.onosproject.net.config.basics.BasicDeviceConfig;
import org.onosproject.net.device.DeviceAdminService;
import org.onosproject.net.driver.Behaviour;
import org.onosproject.net.driver.DefaultDriver;
import org.onosproject.net.driver.DefaultDriverProvider;
import org.onosproject.net.driver.Driver;
import org.onosproject.net.driver.DriverAdminService;
import org.onosproject.net.driver.DriverAdminServiceAdapter;
import org.onosproject.net.driver.DriverListener;
import org.onosproject.net.driver.DriverProvider;
import org.onosproject.net.flow.FlowRuleProgrammable;
import org.onosproject.net.pi.PiPipeconfServiceAdapter;
import org.onosproject.net.pi.model.PiPipeconf;
import org.onosproject.net.pi.model.PiPipeconfId;
import org.onosproject.net.pi.service.PiPipeconfMappingStore;
import org.onosproject.net.provider.ProviderId;

/** State that ONOS keeps of an earlier start of the application, or of another configuration of a node, is replaced. */
@DisplayNameGeneration(ReplaceUnderscores.class)
@Timeout(60)
class UpgradeTest {
    private static final DeviceId L1 = DeviceId.deviceId("device:l1");
    private static final DeviceId OTHER = DeviceId.deviceId("device:other");
    private static final ClassLoader NOW = UpgradeTest.class.getClassLoader();

    private final Drivers registry = new Drivers();
    private final Map<DeviceId, Driver> used = new LinkedHashMap<>();
    private final Map<DeviceId, PiPipeconfId> bound = new HashMap<>();
    private final BlockingQueue<DeviceId> removed = new LinkedBlockingQueue<>();
    private final Netcfg netcfg = new Netcfg();
    private final Srv6DriversLoader loader = new Srv6DriversLoader();
    private final DeviceRenewal renewal = new DeviceRenewal();
    private boolean started;

    /** ONOS as it is when the bundle starts: with the drivers that ours extend. */
    UpgradeTest() {
        DefaultDriverProvider onos = new DefaultDriverProvider();
        for (String name : List.of("p4runtime", "gnmi")) {
            onos.addDriver(new DefaultDriver(name, List.of(), "ONOS", "any", "any", Map.of(), Map.of()));
        }
        registry.registerProvider(onos);
        loader.drivers = registry;
        renewal.devices = devices();
        renewal.masterships = new Masterships();
        renewal.netcfg = netcfg;
        renewal.pipeconfs = new Pipeconfs();
        renewal.bindings = bindings();
        renewal.drivers = loader;
    }

    @AfterEach
    void stop() {
        if (started) {
            renewal.deactivate();
            loader.deactivate();
        }
    }

    private void start() {
        loader.activate();
        renewal.activate();
        started = true;
    }

    @Test
    void a_driver_that_onos_merged_from_an_earlier_start_goes() {
        registry.registerProvider(new EarlierStart().merged("srv6-linux:org.sextant.linux"));
        DefaultDriverProvider foreign = new DefaultDriverProvider();
        foreign.addDriver(new DefaultDriver("bmv2:basic", List.of(), "p4.org", "any", "any", Map.of(), Map.of()));
        registry.registerProvider(foreign);
        loader.activate();
        assertThat(registry.names())
                .contains("bmv2:basic", "p4runtime", "srv6-linux")
                .doesNotContain("srv6-linux:org.sextant.linux");
        assertThat(registry.getDriver("srv6-agent").implementation(FlowRuleProgrammable.class))
                .isSameAs(ContractFlowRules.class);
    }

    @Test
    void a_merged_driver_of_this_start_stays() {
        loader.activate();
        DefaultDriverProvider merged = new DefaultDriverProvider();
        merged.addDriver(EarlierStart.driver("srv6-linux:org.sextant.linux", NOW));
        registry.registerProvider(merged);
        loader.drivers.registerProvider(new DefaultDriverProvider());
        assertThat(registry.names()).contains("srv6-linux:org.sextant.linux");
        assertThat(new EarlierDrivers(NOW).providers(registry.getProviders())).isEmpty();
    }

    @Test
    void a_device_that_holds_a_driver_of_an_earlier_start_connects_anew() throws Exception {
        used.put(L1, EarlierStart.driver("srv6-linux:org.sextant.linux", new EarlierStart()));
        used.put(OTHER, EarlierStart.driver("srv6-linux:org.sextant.linux", NOW));
        start();
        assertThat(removed.poll(20, TimeUnit.SECONDS)).isEqualTo(L1);
        settle();
        assertThat(removed).isEmpty();
    }

    @Test
    void no_device_goes_before_its_new_driver_is_there() throws Exception {
        DriverProvider onos = registry.getProviders().iterator().next();
        registry.unregisterProvider(onos);
        used.put(L1, EarlierStart.driver("srv6-linux:org.sextant.linux", new EarlierStart()));
        start();
        settle();
        assertThat(removed).isEmpty();
        registry.registerProvider(onos);
        assertThat(removed.poll(20, TimeUnit.SECONDS)).isEqualTo(L1);
    }

    @Test
    void a_node_that_is_described_with_another_pipeconf_is_bound_to_it() throws Exception {
        netcfg.describe(L1, "srv6-linux", "org.sextant.linux");
        bound.put(L1, new PiPipeconfId("org.sextant.linux"));
        used.put(L1, EarlierStart.driver("srv6-linux:org.sextant.linux", NOW));
        start();
        settle();
        assertThat(removed).isEmpty();
        netcfg.describe(L1, "srv6-vpp", "org.sextant.vpp");
        assertThat(removed.poll(20, TimeUnit.SECONDS)).isEqualTo(L1);
        assertThat(bound).containsEntry(L1, new PiPipeconfId("org.sextant.vpp"));
    }

    @Test
    void a_node_that_was_described_otherwise_while_onos_was_away_is_bound_at_the_start() throws Exception {
        netcfg.describe(L1, "srv6-bmv2", "org.sextant.bmv2");
        bound.put(L1, new PiPipeconfId("org.sextant.linux"));
        start();
        assertThat(removed.poll(20, TimeUnit.SECONDS)).isEqualTo(L1);
        assertThat(bound).containsEntry(L1, new PiPipeconfId("org.sextant.bmv2"));
    }

    @Test
    void a_node_that_is_described_with_another_driver_connects_anew() throws Exception {
        netcfg.describe(L1, "srv6-vpp", "org.sextant.linux");
        bound.put(L1, new PiPipeconfId("org.sextant.linux"));
        used.put(L1, EarlierStart.driver("srv6-linux:org.sextant.linux", NOW));
        start();
        assertThat(removed.poll(20, TimeUnit.SECONDS)).isEqualTo(L1);
    }

    @Test
    void what_others_drive_and_pipeconfs_that_are_not_there_are_left_alone() throws Exception {
        netcfg.describe(L1, "srv6-linux", "org.sextant.missing");
        netcfg.describe(OTHER, "bmv2", "org.sextant.linux");
        bound.put(L1, new PiPipeconfId("org.sextant.linux"));
        bound.put(OTHER, new PiPipeconfId("basic"));
        start();
        settle();
        assertThat(removed).isEmpty();
        assertThat(bound)
                .containsEntry(L1, new PiPipeconfId("org.sextant.linux"))
                .containsEntry(OTHER, new PiPipeconfId("basic"));
    }

    @Test
    void the_master_of_a_device_binds_it_and_no_other_member() throws Exception {
        ((Masterships) renewal.masterships).elsewhere = true;
        netcfg.describe(L1, "srv6-vpp", "org.sextant.vpp");
        bound.put(L1, new PiPipeconfId("org.sextant.linux"));
        start();
        settle();
        assertThat(bound).containsEntry(L1, new PiPipeconfId("org.sextant.linux"));
        assertThat(removed).isEmpty();
    }

    /** Waits until the renewal's thread has done all earlier requests. */
    private void settle() throws Exception {
        renewal.settle(20);
    }

    // As much of an ONOS as is asked

    private final class Used extends DefaultDevice {
        Used(DeviceId id) {
            super(ProviderId.NONE, id, Type.SWITCH, "", "", "", "", new ChassisId());
        }

        @Override
        public Driver driver() {
            return used.get(id());
        }
    }

    private DeviceAdminService devices() {
        return (DeviceAdminService) Proxy.newProxyInstance(
                NOW, new Class<?>[] {DeviceAdminService.class}, (self, method, arguments) -> switch (method.getName()) {
                    case "getDevices" ->
                        List.<Device>copyOf(
                                used.keySet().stream().map(Used::new).toList());
                    case "getDevice" -> used.containsKey(arguments[0]) ? new Used((DeviceId) arguments[0]) : null;
                    case "removeDevice" -> {
                        used.remove(arguments[0]);
                        removed.add((DeviceId) arguments[0]);
                        yield null;
                    }
                    default -> throw new UnsupportedOperationException(method.getName());
                });
    }

    private PiPipeconfMappingStore bindings() {
        return (PiPipeconfMappingStore) Proxy.newProxyInstance(
                NOW,
                new Class<?>[] {PiPipeconfMappingStore.class},
                (self, method, arguments) -> switch (method.getName()) {
                    case "getPipeconfId" -> bound.get(arguments[0]);
                    case "createOrUpdateBinding" -> {
                        bound.put((DeviceId) arguments[0], (PiPipeconfId) arguments[1]);
                        yield null;
                    }
                    default -> throw new UnsupportedOperationException(method.getName());
                });
    }

    private static final class Pipeconfs extends PiPipeconfServiceAdapter {
        @Override
        public Optional<PiPipeconf> getPipeconf(PiPipeconfId id) {
            return TestPipeconfs.byName(id.id());
        }
    }

    private static final class Masterships extends MastershipServiceAdapter {
        private boolean elsewhere;

        @Override
        public NodeId getMasterFor(DeviceId device) {
            return NodeId.nodeId(elsewhere ? "b" : "a");
        }

        @Override
        public boolean isLocalMaster(DeviceId device) {
            return !elsewhere;
        }
    }

    private static final class Netcfg extends NetworkConfigServiceAdapter {
        private final Map<DeviceId, BasicDeviceConfig> configs = new LinkedHashMap<>();
        private final List<NetworkConfigListener> listeners = new ArrayList<>();

        void describe(DeviceId device, String driver, String pipeconf) {
            BasicDeviceConfig config = new BasicDeviceConfig();
            config.init(device, "basic", JsonNodeFactory.instance.objectNode(), new ObjectMapper(), changed -> {});
            config.driver(driver);
            config.pipeconf(pipeconf);
            configs.put(device, config);
            listeners.forEach(listener -> listener.event(new NetworkConfigEvent(
                    NetworkConfigEvent.Type.CONFIG_UPDATED, device, config, null, BasicDeviceConfig.class)));
        }

        @Override
        @SuppressWarnings("unchecked")
        public <S, C extends Config<S>> Set<S> getSubjects(Class<S> subject, Class<C> config) {
            return (Set<S>) Set.copyOf(configs.keySet());
        }

        @Override
        public <S, C extends Config<S>> C getConfig(S subject, Class<C> config) {
            return config.cast(configs.get(subject));
        }

        @Override
        public void addListener(NetworkConfigListener listener) {
            listeners.add(listener);
        }

        @Override
        public void removeListener(NetworkConfigListener listener) {
            listeners.remove(listener);
        }
    }

    /** Keeps drivers as DriverRegistryManager does: by name; listeners are notified of new ones. */
    private static final class Drivers extends DriverAdminServiceAdapter implements DriverAdminService {
        private final List<DriverProvider> providers = new ArrayList<>();
        private final List<DriverListener> listeners = new ArrayList<>();

        Set<String> names() {
            return getDrivers().stream().map(Driver::name).collect(Collectors.toSet());
        }

        @Override
        public Set<Driver> getDrivers() {
            return providers.stream()
                    .flatMap(provider -> provider.getDrivers().stream())
                    .collect(Collectors.toSet());
        }

        @Override
        public Driver getDriver(String name) {
            return getDrivers().stream()
                    .filter(driver -> driver.name().equals(name))
                    .findFirst()
                    .orElseThrow();
        }

        @Override
        public Class<? extends Behaviour> getBehaviourClass(String name) {
            return null;
        }

        @Override
        public Set<DriverProvider> getProviders() {
            return Set.copyOf(providers);
        }

        @Override
        public void registerProvider(DriverProvider provider) {
            providers.add(provider);
            List.copyOf(listeners).forEach(listener -> listener.event(null));
        }

        @Override
        public void unregisterProvider(DriverProvider provider) {
            providers.remove(provider);
        }

        @Override
        public void addListener(DriverListener listener) {
            listeners.add(listener);
        }

        @Override
        public void removeListener(DriverListener listener) {
            listeners.remove(listener);
        }
    }
}
