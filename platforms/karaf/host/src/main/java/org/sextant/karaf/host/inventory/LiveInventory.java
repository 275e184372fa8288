// SPDX-License-Identifier: Apache-2.0
package org.sextant.karaf.host.inventory;

import java.time.Clock;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.ScheduledExecutorService;
import java.util.function.BiConsumer;
import org.sextant.core.calls.CoalescedTask;
import org.sextant.core.net.Link;
import org.sextant.core.net.Network;
import org.sextant.core.net.UsedNetwork;
import org.sextant.core.port.Inventory;
import org.sextant.core.port.Subscription;
import org.sextant.karaf.host.discovery.DiscoveredLinks;
import org.sextant.karaf.southbound.PortState;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The current network. Inputs come from many threads; the merge and the listeners run on one. Inputs that arrive
 * together make one change: the two ends of a failed link do not cause two recompilations.
 */
public final class LiveInventory implements Inventory {
    static final Duration COALESCE = Duration.ofMillis(20);
    private static final Logger LOG = LoggerFactory.getLogger(LiveInventory.class);

    private final CoalescedTask update;
    private final UsedNetwork used;
    private final List<BiConsumer<Network, Network>> listeners = new CopyOnWriteArrayList<>();
    private final Map<String, Map<Integer, PortState>> ports = new HashMap<>();
    private Network described = Network.EMPTY;
    private DiscoveredLinks discovered = DiscoveredLinks.NOTHING;
    private Map<Link.End, Long> delays = Map.of();
    private Set<String> sessions = Set.of();
    private volatile Network current = Network.EMPTY;

    /** @param thread single; runs the merges and the listeners */
    public LiveInventory(ScheduledExecutorService thread, Clock clock) {
        this.update = new CoalescedTask(
                thread,
                this::update,
                e -> LOG.error(
                        "the network as it is now could not be worked out; the next news are another attempt", e));
        this.used = new UsedNetwork(thread, clock, () -> update.in(COALESCE));
    }

    public synchronized void describe(Network network) {
        described = network;
        ports.keySet().retainAll(network.nodes().keySet());
        update.in(COALESCE);
    }

    /** A node's last report; it stays until the node sends another one, also while it is lost. */
    public synchronized void ports(String node, Map<Integer, PortState> seen) {
        ports.put(node, Map.copyOf(seen));
        update.in(COALESCE);
    }

    public synchronized void discovered(DiscoveredLinks links) {
        discovered = links;
        update.in(COALESCE);
    }

    /** The measured one-way delays of links that count, in microseconds, by where a link begins; all of them. */
    public synchronized void measured(Map<Link.End, Long> micros) {
        delays = Map.copyOf(micros);
        update.in(COALESCE);
    }

    /** The nodes with a session to their agent, all of them. */
    public synchronized void sessions(Set<String> nodes) {
        sessions = Set.copyOf(nodes);
        update.in(COALESCE);
    }

    /** Returns when all that came in so far is in the snapshot. */
    public void settle() {
        update.settle();
    }

    private void update() {
        Network before = current;
        Network seen;
        Set<String> connected;
        synchronized (this) {
            seen = LiveNetwork.merge(described, ports, discovered, delays);
            connected = sessions;
        }
        Network after = used.of(seen, connected);
        if (!after.equals(before)) {
            current = after;
            if (!size(after).equals(size(before))) {
                LOG.info("network {}", size(after));
            }
            listeners.forEach(listener -> tell(listener, before, after));
        }
    }

    private static String size(Network network) {
        long up = network.links().stream().filter(Link::up).count();
        return "nodes=" + network.nodes().size() + " links=" + network.links().size() + " linksUp=" + up + " hosts="
                + network.hosts().size();
    }

    private static void tell(BiConsumer<Network, Network> listener, Network before, Network after) {
        try {
            listener.accept(before, after);
        } catch (RuntimeException | Error e) {
            LOG.error("a listener of the inventory failed", e);
        }
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
