// SPDX-License-Identifier: Apache-2.0
package org.sextant.onos.inventory;

import com.fasterxml.jackson.databind.node.ObjectNode;
import java.time.Clock;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.ScheduledExecutorService;
import java.util.function.BiConsumer;
import java.util.stream.Collectors;
import org.onosproject.core.ApplicationId;
import org.onosproject.net.ConnectPoint;
import org.onosproject.net.Device;
import org.onosproject.net.DeviceId;
import org.onosproject.net.config.NetworkConfigListener;
import org.onosproject.net.config.NetworkConfigService;
import org.onosproject.net.device.DeviceEvent;
import org.onosproject.net.device.DeviceListener;
import org.onosproject.net.device.DeviceService;
import org.onosproject.net.host.HostListener;
import org.onosproject.net.host.HostService;
import org.onosproject.net.link.LinkListener;
import org.onosproject.net.link.LinkService;
import org.onosproject.net.pi.model.PiPipeconfId;
import org.onosproject.net.pi.service.PiPipeconfService;
import org.sextant.core.calls.CoalescedTask;
import org.sextant.core.ip.IpAddress;
import org.sextant.core.ip.MacAddress;
import org.sextant.core.net.Host;
import org.sextant.core.net.Link;
import org.sextant.core.net.Network;
import org.sextant.core.net.Node;
import org.sextant.core.net.UsedNetwork;
import org.sextant.core.port.Inventory;
import org.sextant.core.port.Subscription;
import org.sextant.onos.netcfg.NetcfgDocument;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The network as ONOS has it: configuration, then the state of ports, and links and hosts that ONOS found. Inputs come
 * from many threads; reading and the listeners run on one, and inputs that come together make one change. A fault of
 * the configuration is logged once, and left out; the rest works.
 */
public final class OnosInventory implements Inventory, AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(OnosInventory.class);
    private static final int MAX_PORT = 510;
    private static final Duration AGAIN = Duration.ofSeconds(1);

    private final CoalescedTask update;
    private final UsedNetwork used;
    private final NetworkConfigService netcfg;
    private final DeviceService devices;
    private final LinkService links;
    private final HostService hosts;
    private final PiPipeconfService pipeconfs;
    private final ApplicationId app;
    private final Duration coalesce;
    private final List<BiConsumer<Network, Network>> listeners = new CopyOnWriteArrayList<>();
    private final NetworkConfigListener netcfgListener = event -> schedule();
    private final DeviceListener deviceListener = event -> {
        if (event.type() != DeviceEvent.Type.PORT_STATS_UPDATED) {
            schedule();
        }
    };
    private final LinkListener linkListener = event -> schedule();
    private final HostListener hostListener = event -> schedule();
    private Set<String> complaints = Set.of();

    /** Port states as devices reported them last. */
    private final Map<DeviceId, Map<Integer, Boolean>> told = new HashMap<>();

    private volatile Network current = Network.EMPTY;

    /**
     * @param thread single; runs reading and the listeners
     * @param coalesceMillis how long to wait for more of the same change
     */
    public OnosInventory(
            ScheduledExecutorService thread,
            NetworkConfigService netcfg,
            DeviceService devices,
            LinkService links,
            HostService hosts,
            PiPipeconfService pipeconfs,
            ApplicationId app,
            int coalesceMillis) {
        this.update =
                new CoalescedTask(thread, this::update, e -> LOG.error("a change of the network was not reported", e));
        this.used = new UsedNetwork(thread, Clock.systemUTC(), this::schedule);
        this.netcfg = netcfg;
        this.devices = devices;
        this.links = links;
        this.hosts = hosts;
        this.pipeconfs = pipeconfs;
        this.app = app;
        this.coalesce = Duration.ofMillis(coalesceMillis);
        netcfg.addListener(netcfgListener);
        devices.addListener(deviceListener);
        links.addListener(linkListener);
        hosts.addListener(hostListener);
    }

    @Override
    public void close() {
        hosts.removeListener(hostListener);
        links.removeListener(linkListener);
        devices.removeListener(deviceListener);
        netcfg.removeListener(netcfgListener);
    }

    /** ONOS's id of a node. */
    public Optional<DeviceId> deviceOf(String name) {
        return Optional.ofNullable(current.nodes().get(name)).map(node -> DeviceId.deviceId(node.deviceId()));
    }

    private void schedule() {
        update.in(coalesce);
    }

    /** Returns when all that ONOS has now is in the snapshot. */
    public void settle() {
        update.settle();
    }

    private void update() {
        Network before = current;
        Network after;
        try {
            after = read();
        } catch (RuntimeException | Error e) {
            LOG.error("the network cannot be read; the last one stays, and it is read again", e);
            update.in(AGAIN);
            return;
        }
        if (!after.equals(before)) {
            current = after;
            LOG.info(
                    "network nodes={} links={} linksUp={} hosts={}",
                    after.nodes().size(),
                    after.links().size(),
                    after.links().stream().filter(Link::up).count(),
                    after.hosts().size());
            listeners.forEach(listener -> tell(listener, before, after));
        }
    }

    private static void tell(BiConsumer<Network, Network> listener, Network before, Network after) {
        try {
            listener.accept(before, after);
        } catch (RuntimeException | Error e) {
            LOG.error("a listener of the inventory failed", e);
        }
    }

    private Network read() {
        ObjectNode document = NetcfgDocument.of(netcfg, app);
        NetcfgDocument.Reading reading = NetcfgDocument.read(document);
        Network described = reading.network();
        Map<String, String> names = new HashMap<>();
        described.nodes().values().forEach(node -> names.put(node.deviceId(), node.name()));
        complain(reading, names);
        Map<String, Map<Integer, Boolean>> up = new TreeMap<>();
        described.nodes().values().forEach(node -> ports(node).ifPresent(ports -> up.put(node.name(), ports)));
        return used.of(LivePorts.merge(described, up, found(names), foundHosts(names)), available(described));
    }

    /** The nodes to which some member has a session: all members ask the same store of ONOS. */
    private Set<String> available(Network described) {
        return described.nodes().values().stream()
                .filter(node -> devices.isAvailable(DeviceId.deviceId(node.deviceId())))
                .map(Node::name)
                .collect(Collectors.toSet());
    }

    /**
     * ONOS disables all ports of a device that it has no connection to: one that is being restarted, or one that
     * changes hands because a controller comes back. That says nothing about links, and policies over them would be
     * torn down; the loss of a node that is really gone shows at the neighbors' ports. So the last states that meant
     * something stay.
     */
    private Optional<Map<Integer, Boolean>> ports(Node node) {
        DeviceId device = DeviceId.deviceId(node.deviceId());
        Map<Integer, Boolean> ports = new TreeMap<>();
        devices.getPorts(device).forEach(port -> {
            long number = port.number().toLong();
            if (number >= 1 && number <= MAX_PORT) {
                ports.put((int) number, port.isEnabled());
            }
        });
        // The ports are disabled before the device counts as unavailable.
        boolean disconnected = ports.size() > 1 && !ports.containsValue(true);
        if (devices.isAvailable(device) && !disconnected && !ports.isEmpty()) {
            told.put(device, ports);
        }
        return Optional.ofNullable(told.get(device));
    }

    private Map<Link.End, Link.End> found(Map<String, String> names) {
        Map<Link.End, Link.End> ends = new TreeMap<>();
        links.getLinks().forEach(link -> {
            Optional<Link.End> from = end(link.src(), names);
            Optional<Link.End> to = end(link.dst(), names);
            if (link.type() == org.onosproject.net.Link.Type.DIRECT
                    && link.state() == org.onosproject.net.Link.State.ACTIVE
                    && from.isPresent()
                    && to.isPresent()) {
                ends.put(from.get(), to.get());
            }
        });
        return ends;
    }

    private List<Host> foundHosts(Map<String, String> names) {
        List<Host> found = new ArrayList<>();
        hosts.getHosts()
                .forEach(host -> end(host.location(), names).ifPresent(at -> {
                    List<IpAddress> addresses = host.ipAddresses().stream()
                            .filter(address -> !address.isLinkLocal())
                            .map(address -> IpAddress.parse(address.toString()))
                            .sorted((one, other) -> one.toString().compareTo(other.toString()))
                            .toList();
                    if (!addresses.isEmpty()) {
                        String mac = host.mac().toString();
                        found.add(new Host(mac, Optional.of(MacAddress.parse(mac)), addresses, at));
                    }
                }));
        found.sort((one, other) -> one.name().compareTo(other.name()));
        return found;
    }

    private static Optional<Link.End> end(ConnectPoint point, Map<String, String> names) {
        String name = names.get(point.deviceId().toString());
        long port = point.port().toLong();
        return name != null && port >= 1 && port <= MAX_PORT
                ? Optional.of(new Link.End(name, (int) port))
                : Optional.empty();
    }

    /** Names the faults, each once until it changes. */
    private void complain(NetcfgDocument.Reading reading, Map<String, String> names) {
        Set<String> now = new HashSet<>();
        reading.problems().forEach(problem -> now.add("netcfg problem=\"" + problem + "\" leftOut=true"));
        reading.network().nodes().values().forEach(node -> {
            if (node.srv6().isEmpty()) {
                now.add("device=" + node.deviceId()
                        + " problem=\"it has no srv6 config and only forwards IPv6\" remedy=\"give" + " devices/"
                        + node.deviceId() + "/srv6 with uSid and encapSource\"");
            }
            if (pipeconfs
                    .getPipeconf(new PiPipeconfId(node.pipeconf().isEmpty() ? "none" : node.pipeconf()))
                    .isEmpty()) {
                now.add("device=" + node.deviceId() + " problem=\"there is no pipeconf '" + node.pipeconf()
                        + "'\" remedy=\"give one that onos:pipeconfs lists in devices/" + node.deviceId() + "/basic\"");
            }
        });
        for (Device device : devices.getDevices()) {
            if (!names.containsKey(device.id().toString())) {
                now.add("device=" + device.id()
                        + " problem=\"ONOS knows it, the network configuration does not, or with"
                        + " problems\" remedy=\"describe it under devices, or remove it from ONOS\"");
            }
        }
        now.stream()
                .filter(complaint -> !complaints.contains(complaint))
                .sorted()
                .forEach(LOG::warn);
        complaints = now;
    }

    @Override
    public Network snapshot() {
        return current;
    }

    @Override
    public Subscription onChange(BiConsumer<Network, Network> listener) {
        listeners.add(listener);
        return () -> listeners.remove(listener);
    }
}
