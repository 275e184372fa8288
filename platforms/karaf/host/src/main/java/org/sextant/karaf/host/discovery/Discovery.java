// SPDX-License-Identifier: Apache-2.0
package org.sextant.karaf.host.discovery;

import java.util.EnumMap;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.function.Consumer;
import org.sextant.core.ip.MacAddress;
import org.sextant.core.net.ExternalPorts;
import org.sextant.core.net.Link;
import org.sextant.core.net.Network;
import org.sextant.core.net.Node;
import org.sextant.core.net.Port;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Finds links: in every round each port that is up on a node that is ready sends an LLDP frame, and a frame that
 * arrives at another node's port proves one direction of a link. Time is counted in rounds: a controller that was
 * paused sends no rounds and so loses no links. A link whose ends cannot both speak now is not aged, as silence then
 * proves nothing.
 *
 * <p>Frames come by the sessions of nodes that the controller knows, so an attacker that could make up one is behind a
 * port: it has not the key, and a frame that it received is old after some rounds. Refused frames are counted, and
 * reported once for each port.
 */
public final class Discovery {
    /** A direction is lost after this many rounds without a frame. */
    static final int MISSED_ROUNDS = 3;

    /** The source of frames from ports whose MAC address is not known yet; locally administered. */
    private static final MacAddress ANY_SOURCE = new MacAddress(0x0200_5358_0001L);

    private static final Logger LOG = LoggerFactory.getLogger(Discovery.class);

    /** Why a frame that looks like this controller's proves nothing. */
    public enum Refusal {
        /** Its code is not of this controller's key: made up, or from before it was started. */
        FORGED,
        /** It was sent some rounds ago, or never. */
        REPLAYED,
        /** It came in at a port that is {@link ExternalPorts}, or claims to have been sent from one. */
        OUTSIDE
    }

    /** Emits a frame; best effort. */
    @FunctionalInterface
    public interface Sender {
        void send(String node, int port, byte[] frame);
    }

    private final byte[] key;
    private final int ttlSeconds;
    private final Sender sender;
    private final Consumer<DiscoveredLinks> listener;
    private final SortedMap<Link.End, Sighting> sightings = new TreeMap<>();
    private final Map<Refusal, Long> refused = new EnumMap<>(Refusal.class);
    private final Set<Complaint> complaints = new HashSet<>();
    private Set<Link.End> outside = Set.of();
    private long round;

    /** Held while the listener is notified; before the lock of all else. */
    private final Object telling = new Object();

    private DiscoveredLinks told = DiscoveredLinks.NOTHING;

    private record Complaint(Link.End port, Refusal why) {}

    private record Sighting(Link.End receiver, long round, boolean lost) {}

    /**
     * @param key 16 bytes or more, secret
     * @param listener notified whenever the discovered links change
     */
    public Discovery(byte[] key, int ttlSeconds, Sender sender, Consumer<DiscoveredLinks> listener) {
        this.key = key.clone();
        this.ttlSeconds = ttlSeconds;
        this.sender = Objects.requireNonNull(sender);
        this.listener = Objects.requireNonNull(listener);
    }

    /** One round: ages, then sends. */
    public void round(Network network, Set<String> ready) {
        long now;
        Set<Link.End> closed;
        synchronized (this) {
            now = ++round;
            outside = ExternalPorts.of(network);
            age(network, ready);
            closed = outside;
        }
        tell();
        for (Node node : network.nodes().values()) {
            if (ready.contains(node.name())) {
                node.ports().values().stream()
                        .filter(port -> port.up() && !closed.contains(new Link.End(node.name(), port.number())))
                        .forEach(port -> send(node, port, now));
            }
        }
    }

    private void send(Node node, Port port, long now) {
        byte[] frame = new LldpFrame(new Link.End(node.name(), port.number()), now)
                .encode(port.mac().orElse(ANY_SOURCE), ttlSeconds, key);
        sender.send(node.name(), port.number(), frame);
    }

    /** A frame that came in; anything but a fresh frame of ours is passed over. */
    public void received(String node, int port, byte[] frame) {
        Link.End receiver = new Link.End(node, port);
        Optional<LldpFrame> ours = LldpFrame.decode(frame, key);
        if (ours.isEmpty()) {
            if (LldpFrame.claims(frame)) {
                refuse(receiver, Refusal.FORGED);
            }
            return;
        }
        LldpFrame lldp = ours.get();
        synchronized (this) {
            if (outside.contains(receiver) || outside.contains(lldp.sender())) {
                refuse(receiver, Refusal.OUTSIDE);
                return;
            }
            if (lldp.round() <= round - MISSED_ROUNDS || lldp.round() > round) {
                refuse(receiver, Refusal.REPLAYED);
                return;
            }
            if (lldp.sender().equals(receiver)) {
                return;
            }
            sightings.put(lldp.sender(), new Sighting(receiver, lldp.round(), false));
        }
        tell();
    }

    private synchronized void refuse(Link.End receiver, Refusal why) {
        refused.merge(why, 1L, Long::sum);
        if (complaints.add(new Complaint(receiver, why))) {
            LOG.warn(
                    "lldp port={} refused={} remedy=\"a device behind the port imitates a node; configure the port as external"
                            + " if no node is there\"",
                    receiver,
                    why);
        }
    }

    /** How many frames that looked like this controller's were refused. */
    public synchronized Map<Refusal, Long> refused() {
        return Map.copyOf(refused);
    }

    private void age(Network network, Set<String> ready) {
        sightings.replaceAll((from, seen) -> {
            boolean bothSpeak = ready.contains(from.node())
                    && ready.contains(seen.receiver().node());
            if (!bothSpeak) {
                return new Sighting(seen.receiver(), round, seen.lost());
            }
            return new Sighting(seen.receiver(), seen.round(), seen.lost() || round - seen.round() > MISSED_ROUNDS);
        });
        sightings.keySet().removeIf(from -> network.node(from.node()).isEmpty() || outside.contains(from));
        sightings
                .values()
                .removeIf(seen -> network.node(seen.receiver().node()).isEmpty() || outside.contains(seen.receiver()));
        complaints.removeIf(complaint -> network.node(complaint.port().node()).isEmpty());
    }

    /** Rounds and frames come on threads of their own; the thread with newer results reports them last. */
    private void tell() {
        synchronized (telling) {
            DiscoveredLinks now = known();
            if (!now.equals(told)) {
                listener.accept(now);
                told = now;
            }
        }
    }

    private synchronized DiscoveredLinks known() {
        Map<Link.End, Link.End> alive = new HashMap<>();
        Map<Link.End, Link.End> lost = new HashMap<>();
        sightings.forEach((from, seen) -> (seen.lost() ? lost : alive).put(from, seen.receiver()));
        return new DiscoveredLinks(alive, lost.keySet());
    }
}
