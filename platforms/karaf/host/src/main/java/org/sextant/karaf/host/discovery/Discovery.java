// SPDX-License-Identifier: Apache-2.0
package org.sextant.karaf.host.discovery;

import java.util.HashMap;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.function.Consumer;
import org.sextant.core.ip.MacAddress;
import org.sextant.core.net.Link;
import org.sextant.core.net.Network;
import org.sextant.core.net.Node;
import org.sextant.core.net.Port;

/**
 * Finds links: in every round each port that is up on a node that is ready sends an LLDP frame, and what arrives at
 * another node's port proves one direction of a link. Time is counted in rounds: a controller that was paused sends no
 * rounds and so loses no links. A link whose ends cannot both speak now is not aged, as silence then proves nothing.
 */
public final class Discovery {
    /** A direction is lost after this many rounds without a frame. */
    static final int MISSED_ROUNDS = 3;

    /** Of frames from ports whose MAC address is not known yet; locally administered. */
    private static final MacAddress ANY_SOURCE = new MacAddress(0x0200_5358_0001L);

    /** Emits a frame; best effort. */
    @FunctionalInterface
    public interface Sender {
        void send(String node, int port, byte[] frame);
    }

    private final byte[] key;
    private final int ttlSeconds;
    private final Sender sender;
    private final Consumer<Discovered> listener;
    private final SortedMap<Link.End, Sighting> sightings = new TreeMap<>();
    private long round;

    /** Held while the listener is told; before the lock of all else. */
    private final Object telling = new Object();

    private Discovered told = Discovered.NOTHING;

    private record Sighting(Link.End receiver, long round, boolean lost) {}

    /**
     * @param key 16 bytes or more that nobody else knows
     * @param listener told whenever what is discovered changes
     */
    public Discovery(byte[] key, int ttlSeconds, Sender sender, Consumer<Discovered> listener) {
        this.key = key.clone();
        this.ttlSeconds = ttlSeconds;
        this.sender = Objects.requireNonNull(sender);
        this.listener = Objects.requireNonNull(listener);
    }

    /** One round: ages, then sends. */
    public void round(Network network, Set<String> ready) {
        long now;
        synchronized (this) {
            now = ++round;
            age(network, ready);
        }
        tell();
        for (Node node : network.nodes().values()) {
            if (ready.contains(node.name())) {
                node.ports().values().stream().filter(Port::up).forEach(port -> send(node, port, now));
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
        LldpFrame.decode(frame, key).ifPresent(lldp -> {
            Link.End receiver = new Link.End(node, port);
            synchronized (this) {
                if (lldp.round() <= round - MISSED_ROUNDS
                        || lldp.round() > round
                        || lldp.sender().equals(receiver)) {
                    return;
                }
                sightings.put(lldp.sender(), new Sighting(receiver, lldp.round(), false));
            }
            tell();
        });
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
        sightings.keySet().removeIf(from -> network.node(from.node()).isEmpty());
        sightings.values().removeIf(seen -> network.node(seen.receiver().node()).isEmpty());
    }

    /** Rounds and frames come on threads of their own; whoever finds out more tells it after who found out less. */
    private void tell() {
        synchronized (telling) {
            Discovered now = known();
            if (!now.equals(told)) {
                listener.accept(now);
                told = now;
            }
        }
    }

    private synchronized Discovered known() {
        Map<Link.End, Link.End> alive = new HashMap<>();
        Map<Link.End, Link.End> lost = new HashMap<>();
        sightings.forEach((from, seen) -> (seen.lost() ? lost : alive).put(from, seen.receiver()));
        return new Discovered(alive, lost.keySet());
    }
}
