// SPDX-License-Identifier: Apache-2.0
package org.sextant.onos;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.lang.reflect.Proxy;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Collectors;
import org.onlab.packet.ChassisId;
import org.onlab.packet.IpAddress;
import org.onlab.packet.MacAddress;
import org.onlab.packet.VlanId;
import org.onosproject.core.ApplicationId;
import org.onosproject.core.CoreServiceAdapter;
import org.onosproject.core.DefaultApplicationId;
import org.onosproject.grpc.utils.Channels;
import org.onosproject.net.ConnectPoint;
import org.onosproject.net.DefaultDevice;
import org.onosproject.net.DefaultHost;
import org.onosproject.net.DefaultLink;
import org.onosproject.net.DefaultPort;
import org.onosproject.net.Device;
import org.onosproject.net.DeviceId;
import org.onosproject.net.Host;
import org.onosproject.net.HostId;
import org.onosproject.net.HostLocation;
import org.onosproject.net.Link;
import org.onosproject.net.LinkKey;
import org.onosproject.net.Port;
import org.onosproject.net.PortNumber;
import org.onosproject.net.config.Config;
import org.onosproject.net.config.NetworkConfigEvent;
import org.onosproject.net.config.NetworkConfigListener;
import org.onosproject.net.config.NetworkConfigRegistryAdapter;
import org.onosproject.net.config.basics.BasicDeviceConfig;
import org.onosproject.net.config.basics.BasicHostConfig;
import org.onosproject.net.config.basics.BasicLinkConfig;
import org.onosproject.net.config.basics.InterfaceConfig;
import org.onosproject.net.device.DeviceEvent;
import org.onosproject.net.device.DeviceListener;
import org.onosproject.net.device.DeviceServiceAdapter;
import org.onosproject.net.driver.Behaviour;
import org.onosproject.net.driver.DefaultDriverData;
import org.onosproject.net.driver.Driver;
import org.onosproject.net.driver.DriverAdapter;
import org.onosproject.net.driver.DriverData;
import org.onosproject.net.driver.DriverHandler;
import org.onosproject.net.flow.DefaultFlowEntry;
import org.onosproject.net.flow.FlowEntry;
import org.onosproject.net.flow.FlowId;
import org.onosproject.net.flow.FlowRule;
import org.onosproject.net.flow.FlowRuleOperation;
import org.onosproject.net.flow.FlowRuleOperations;
import org.onosproject.net.flow.FlowRuleProgrammable;
import org.onosproject.net.flow.FlowRuleServiceAdapter;
import org.onosproject.net.host.HostEvent;
import org.onosproject.net.host.HostListener;
import org.onosproject.net.host.HostServiceAdapter;
import org.onosproject.net.link.LinkEvent;
import org.onosproject.net.link.LinkListener;
import org.onosproject.net.link.LinkServiceAdapter;
import org.onosproject.net.pi.PiPipeconfServiceAdapter;
import org.onosproject.net.pi.model.PiPipeconf;
import org.onosproject.net.pi.model.PiPipeconfId;
import org.onosproject.net.provider.ProviderId;
import org.onosproject.p4runtime.api.P4RuntimeController;
import org.onosproject.store.service.ConsistentMapException;
import org.sextant.onos.driver.ContractFlowRules;
import org.sextant.onos.driver.OnosApp;
import org.sextant.onos.driver.Refusals;
import org.sextant.onos.driver.TestPipeconfs;
import org.sextant.onos.netcfg.Srv6AppConfig;
import org.sextant.onos.netcfg.Srv6DeviceConfig;
import org.sextant.onos.netcfg.Srv6LinkConfig;
import org.sextant.onos.netcfg.Srv6PortConfig;

/** As much of an ONOS as our adapters touch, over ONOS's own test adapters; the driver in it is ours, and real. */
final class FakeOnos implements AutoCloseable {
    static final ApplicationId APP = new DefaultApplicationId(77, OnosApp.NAME);
    private static final ObjectMapper JSON = new ObjectMapper();

    final Map<DeviceId, FakeClient> nodes = new HashMap<>();
    final Refusals refusals = new Refusals();
    final Devices devices = new Devices();
    final Netcfg netcfg = new Netcfg();
    final Pipeconfs pipeconfs = new Pipeconfs();
    final Rules flowRules = new Rules();

    @Override
    public void close() {
        flowRules.thread.shutdownNow();
    }

    // Devices

    final class Devices extends DeviceServiceAdapter {
        private final Set<DeviceId> available = new HashSet<>();
        private final Map<DeviceId, Map<Long, Boolean>> ports = new HashMap<>();

        /** How many of the next questions for ports go wrong, as where a store of the cluster has no answer. */
        private int failures;

        private final List<DeviceListener> listeners = new CopyOnWriteArrayList<>();

        synchronized void connect(DeviceId id) {
            nodes.putIfAbsent(id, new FakeClient(id));
            available.add(id);
            ports.putIfAbsent(id, new HashMap<>());
            tell(DeviceEvent.Type.DEVICE_AVAILABILITY_CHANGED, id);
        }

        /** A port changes, and the first reader then gets no answer. */
        synchronized void portUnread(DeviceId id, long number, boolean up) {
            failures++;
            port(id, number, up);
        }

        synchronized void disconnect(DeviceId id) {
            available.remove(id);
            tell(DeviceEvent.Type.DEVICE_AVAILABILITY_CHANGED, id);
        }

        synchronized void port(DeviceId id, long number, boolean up) {
            ports.computeIfAbsent(id, one -> new HashMap<>()).put(number, up);
            tell(DeviceEvent.Type.PORT_UPDATED, id);
        }

        private void tell(DeviceEvent.Type type, DeviceId id) {
            listeners.forEach(listener -> listener.event(new DeviceEvent(type, getDevice(id))));
        }

        @Override
        public synchronized Device getDevice(DeviceId id) {
            return ports.containsKey(id) ? new FakeDevice(id) : null;
        }

        @Override
        public synchronized Iterable<Device> getDevices() {
            return ports.keySet().stream().map(FakeDevice::new).collect(Collectors.toList());
        }

        @Override
        public synchronized boolean isAvailable(DeviceId id) {
            return available.contains(id);
        }

        @Override
        public synchronized List<Port> getPorts(DeviceId id) {
            if (failures > 0) {
                failures--;
                throw new IllegalStateException("the store does not answer");
            }
            List<Port> found = new ArrayList<>();
            ports.getOrDefault(id, Map.of())
                    .forEach((number, up) -> found.add(
                            new DefaultPort(getDevice(id), PortNumber.portNumber(number, "if" + number), up)));
            return found;
        }

        @Override
        public void addListener(DeviceListener listener) {
            listeners.add(listener);
        }

        @Override
        public void removeListener(DeviceListener listener) {
            listeners.remove(listener);
        }
    }

    private final class FakeDevice extends DefaultDevice {
        FakeDevice(DeviceId id) {
            super(ProviderId.NONE, id, Type.SWITCH, "", "", "", "", new ChassisId());
        }

        @Override
        public <B extends Behaviour> B as(Class<B> behaviour) {
            return behaviour.cast(programmable(id()));
        }
    }

    FlowRuleProgrammable programmable(DeviceId id) {
        ContractFlowRules rules = new ContractFlowRules();
        Channels.open(id, netcfg.getConfig(id, BasicDeviceConfig.class).managementAddress());
        Handler handler = new Handler(id);
        rules.setHandler(handler);
        rules.setData(handler.data());
        return rules;
    }

    private final class Handler implements DriverHandler {
        private final DriverData data;

        Handler(DeviceId id) {
            data = new DefaultDriverData(new DriverAdapter(), id);
        }

        @Override
        public Driver driver() {
            return data.driver();
        }

        @Override
        public DriverData data() {
            return data;
        }

        @Override
        public <T> T get(Class<T> service) {
            List<Object> services = List.of(
                    devices,
                    netcfg,
                    pipeconfs,
                    refusals,
                    flowRules,
                    new CoreServiceAdapter() {
                        @Override
                        public ApplicationId getAppId(String name) {
                            return name.equals(OnosApp.NAME) ? APP : null;
                        }
                    },
                    controller());
            return services.stream()
                    .filter(service::isInstance)
                    .map(service::cast)
                    .findFirst()
                    .orElse(null);
        }

        @Override
        public <T extends Behaviour> T behaviour(Class<T> type) {
            throw new UnsupportedOperationException(type.getName());
        }
    }

    private P4RuntimeController controller() {
        return (P4RuntimeController) Proxy.newProxyInstance(
                getClass().getClassLoader(), new Class<?>[] {P4RuntimeController.class}, (self, method, arguments) -> {
                    if (!method.getName().equals("get")) {
                        throw new UnsupportedOperationException(method.getName());
                    }
                    return nodes.get(arguments[0]).client();
                });
    }

    // Links and hosts that ONOS found

    final Links links = new Links();
    final Hosts hosts = new Hosts();

    static final class Links extends LinkServiceAdapter {
        private final List<Link> found = new CopyOnWriteArrayList<>();
        private final List<LinkListener> listeners = new CopyOnWriteArrayList<>();

        void find(String from, String to) {
            found.add(DefaultLink.builder()
                    .providerId(ProviderId.NONE)
                    .type(Link.Type.DIRECT)
                    .src(ConnectPoint.deviceConnectPoint(from))
                    .dst(ConnectPoint.deviceConnectPoint(to))
                    .build());
            listeners.forEach(listener -> listener.event(new LinkEvent(LinkEvent.Type.LINK_ADDED, found.get(0))));
        }

        @Override
        public Iterable<Link> getLinks() {
            return found;
        }

        @Override
        public void addListener(LinkListener listener) {
            listeners.add(listener);
        }
    }

    static final class Hosts extends HostServiceAdapter {
        private final List<Host> found = new CopyOnWriteArrayList<>();
        private final List<HostListener> listeners = new CopyOnWriteArrayList<>();

        void find(String mac, String address, String location) {
            Host host = new DefaultHost(
                    ProviderId.NONE,
                    HostId.hostId(mac + "/None"),
                    MacAddress.valueOf(mac),
                    VlanId.NONE,
                    new HostLocation(ConnectPoint.deviceConnectPoint(location), 1),
                    Set.of(IpAddress.valueOf(address)));
            found.add(host);
            listeners.forEach(listener -> listener.event(new HostEvent(HostEvent.Type.HOST_ADDED, host)));
        }

        @Override
        public Iterable<Host> getHosts() {
            return found;
        }

        @Override
        public void addListener(HostListener listener) {
            listeners.add(listener);
        }
    }

    // Flow rules: the driver is asked as FlowRuleDriverProvider asks it

    final class Rules extends FlowRuleServiceAdapter {
        private final ExecutorService thread = Executors.newSingleThreadExecutor();
        private final Map<FlowId, FlowEntry> wishes = new ConcurrentHashMap<>();

        @Override
        public Iterable<FlowEntry> getFlowEntries(DeviceId id) {
            return wishes.values().stream()
                    .filter(wish -> wish.deviceId().equals(id))
                    .toList();
        }

        /** The reaction of FlowRuleManager to rows that it has read from a node. */
        void compare(DeviceId id, Collection<FlowEntry> seen) {
            for (FlowEntry row : seen) {
                FlowEntry wish = wishes.get(row.id());
                if (wish == null) {
                    programmable(id).removeFlowRules(List.of(row));
                } else if (!wish.exactMatch(row)) {
                    programmable(id).removeFlowRules(List.of(row));
                    programmable(id).applyFlowRules(List.of(wish));
                }
            }
        }

        private void wish(FlowRule rule, FlowEntry.FlowEntryState state) {
            wishes.put(rule.id(), new DefaultFlowEntry(rule, state));
        }

        @Override
        public void apply(FlowRuleOperations operations) {
            thread.execute(() -> {
                FlowRuleOperations.Builder failed = FlowRuleOperations.builder();
                boolean[] any = new boolean[1];
                operations
                        .stages()
                        .forEach(stage -> stage.stream()
                                .collect(Collectors.groupingBy(
                                        operation -> operation.rule().deviceId()))
                                .forEach((id, some) -> some.stream()
                                        .collect(Collectors.groupingBy(FlowRuleOperation::type))
                                        .forEach((type, same) -> {
                                            List<FlowRule> rules = same.stream()
                                                    .map(FlowRuleOperation::rule)
                                                    .toList();
                                            boolean removing = type == FlowRuleOperation.Type.REMOVE;
                                            rules.forEach(rule -> wish(
                                                    rule,
                                                    removing
                                                            ? FlowEntry.FlowEntryState.PENDING_REMOVE
                                                            : FlowEntry.FlowEntryState.PENDING_ADD));
                                            var done = removing
                                                    ? programmable(id).removeFlowRules(rules)
                                                    : programmable(id).applyFlowRules(rules);
                                            if (removing) {
                                                done.forEach(rule -> wishes.remove(rule.id()));
                                            }
                                            rules.stream()
                                                    .filter(rule -> !done.contains(rule))
                                                    .forEach(rule -> {
                                                        failed.add(rule);
                                                        any[0] = true;
                                                    });
                                        })));
                if (any[0]) {
                    operations.callback().onError(failed.build());
                } else {
                    operations.callback().onSuccess(operations);
                }
            });
        }
    }

    // Pipeconfs

    final class Pipeconfs extends PiPipeconfServiceAdapter {
        /** So many questions for devices' pipeconfs fail, as they do when ONOS interrupts a listener that asks its stores. */
        final AtomicInteger interruptions = new AtomicInteger();

        @Override
        public Optional<PiPipeconf> getPipeconf(PiPipeconfId id) {
            return TestPipeconfs.byName(id.id());
        }

        @Override
        public Optional<PiPipeconf> getPipeconf(DeviceId device) {
            if (interruptions.getAndUpdate(left -> Math.max(0, left - 1)) > 0) {
                throw new ConsistentMapException.Interrupted();
            }
            BasicDeviceConfig config = netcfg.getConfig(device, BasicDeviceConfig.class);
            return config == null ? Optional.empty() : TestPipeconfs.byName(config.pipeconf());
        }
    }

    // Network configuration

    static final class Netcfg extends NetworkConfigRegistryAdapter {
        private final Map<Object, Map<Class<?>, Config<?>>> configs = new LinkedHashMap<>();
        private final List<NetworkConfigListener> listeners = new CopyOnWriteArrayList<>();

        /** Takes a document as {@code onos-netcfg} posts it; a section that is not valid throws, as ONOS answers 400. */
        void load(String json) throws Exception {
            JsonNode document = JSON.readTree(json);
            each(document.path("apps"), (key, body) -> put(APP, "srv6", body, new Srv6AppConfig()));
            each(document.path("devices"), (key, body) -> {
                put(DeviceId.deviceId(key), "basic", body, new BasicDeviceConfig());
                put(DeviceId.deviceId(key), "srv6", body, new Srv6DeviceConfig());
            });
            each(document.path("ports"), (key, body) -> {
                put(ConnectPoint.deviceConnectPoint(key), "interfaces", body, new InterfaceConfig());
                put(ConnectPoint.deviceConnectPoint(key), "srv6", body, new Srv6PortConfig());
            });
            each(document.path("links"), (key, body) -> {
                String[] ends = key.split("-(?=device:)");
                LinkKey link = LinkKey.linkKey(
                        ConnectPoint.deviceConnectPoint(ends[0]), ConnectPoint.deviceConnectPoint(ends[1]));
                put(link, "basic", body, new BasicLinkConfig());
                put(link, "srv6", body, new Srv6LinkConfig());
            });
            each(document.path("hosts"), (key, body) -> put(HostId.hostId(key), "basic", body, new BasicHostConfig()));
            listeners.forEach(listener -> listener.event(
                    new NetworkConfigEvent(NetworkConfigEvent.Type.CONFIG_UPDATED, APP, Srv6AppConfig.class)));
        }

        private interface Entry {
            void accept(String key, JsonNode body);
        }

        private static void each(JsonNode section, Entry entry) {
            section.fields().forEachRemaining(field -> entry.accept(field.getKey(), field.getValue()));
        }

        private <S, C extends Config<S>> void put(S subject, String key, JsonNode body, C config) {
            if (body.has(key)) {
                config.init(subject, key, body.get(key), JSON, one -> {});
                if (!config.isValid()) {
                    throw new IllegalArgumentException(subject + " " + key + " is not valid");
                }
                configs.computeIfAbsent(subject, s -> new HashMap<>()).put(config.getClass(), config);
            }
        }

        @Override
        @SuppressWarnings("unchecked")
        public <S> Set<S> getSubjects(Class<S> type) {
            return configs.keySet().stream()
                    .filter(type::isInstance)
                    .map(subject -> (S) subject)
                    .collect(Collectors.toSet());
        }

        @Override
        public <S, C extends Config<S>> C getConfig(S subject, Class<C> type) {
            return type.cast(configs.getOrDefault(subject, Map.of()).get(type));
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
}
