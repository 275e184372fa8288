// SPDX-License-Identifier: Apache-2.0
package org.sextant.core.fake;

import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.BiConsumer;
import java.util.function.UnaryOperator;
import org.sextant.core.net.Link;
import org.sextant.core.net.Network;
import org.sextant.core.net.Overload;
import org.sextant.core.port.Inventory;
import org.sextant.core.port.Subscription;

/** A network that a test changes by hand. */
public final class FakeInventory implements Inventory {
    private final List<BiConsumer<Network, Network>> listeners = new CopyOnWriteArrayList<>();
    private volatile Network network;

    public FakeInventory(Network network) {
        this.network = network;
    }

    @Override
    public Network snapshot() {
        return network;
    }

    @Override
    public Subscription onChange(BiConsumer<Network, Network> listener) {
        listeners.add(listener);
        return () -> listeners.remove(listener);
    }

    public synchronized void set(Network after) {
        Network before = network;
        network = after;
        listeners.forEach(listener -> listener.accept(before, after));
    }

    /** Replaces every link, in both directions, between two nodes. */
    public synchronized void links(String one, String other, UnaryOperator<Link> change) {
        set(network.withLinks(network.links().stream()
                .map(link -> joins(link, one, other) ? change.apply(link) : link)
                .toList()));
    }

    /** These nodes are overloaded or drained, and no others. */
    public synchronized void overloads(Map<String, Overload> overloads) {
        set(network.withOverloads(new TreeMap<>(overloads)));
    }

    /** Takes the links between two nodes down, or up again. */
    public void link(String one, String other, boolean up) {
        links(one, other, link -> link.withUp(up));
    }

    private static boolean joins(Link link, String one, String other) {
        return link.from().node().equals(one) && link.to().node().equals(other)
                || link.from().node().equals(other) && link.to().node().equals(one);
    }
}
