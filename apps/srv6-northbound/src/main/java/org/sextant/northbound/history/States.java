// SPDX-License-Identifier: Apache-2.0
package org.sextant.northbound.history;

import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import org.sextant.core.history.StateLog;
import org.sextant.core.intent.EngineEvent;
import org.sextant.core.intent.IntentRef;
import org.sextant.core.intent.IntentState;
import org.sextant.core.intent.NodeStatus;
import org.sextant.core.net.Host;
import org.sextant.core.net.Link;
import org.sextant.core.net.Network;
import org.sextant.core.net.Port;

/**
 * Which states nodes, links, hosts and intents had. Intents have a log of their own: however many come and go, the
 * history of the network is not less.
 */
final class States {
    static final String NODE = "node:";
    static final String LINK = "link:";
    static final String HOST = "host:";
    static final String UP = "UP";
    static final String DOWN = "DOWN";

    /** Nodes, links and hosts of the largest network that was measured (docs/reference/speed.md), three times over. */
    private static final int MOST_OF_NETWORK = 30_000;

    private static final int MOST_INTENTS = 20_000;
    private static final int MOST_CHANGES = 65_536;

    final StateLog network;
    final StateLog intents;

    States(long begin) {
        network = new StateLog(begin, MOST_OF_NETWORK, MOST_CHANGES);
        intents = new StateLog(begin, MOST_INTENTS, MOST_CHANGES);
    }

    void network(long now, Network before, Network after) {
        for (String node : before.nodes().keySet()) {
            if (after.node(node).isEmpty()) {
                network.set(now, NODE + node, StateLog.GONE);
            }
        }
        links(now, before.links(), after.links());
        for (String host : before.hosts().keySet()) {
            if (after.host(host).isEmpty()) {
                network.set(now, HOST + host, StateLog.GONE);
            }
        }
        after.hosts().values().forEach(host -> network.set(now, HOST + host.name(), word(isUp(after, host))));
    }

    /** Most changes are of one link that goes up or down: of thousands, only that one is looked up. */
    private void links(long now, List<Link> before, List<Link> after) {
        boolean same = before.size() == after.size();
        for (int i = 0; same && i < after.size(); i++) {
            same = before.get(i).compareTo(after.get(i)) == 0;
        }
        if (!same) {
            Set<String> there = after.stream().map(Link::id).collect(Collectors.toSet());
            before.stream()
                    .map(Link::id)
                    .filter(id -> !there.contains(id))
                    .forEach(id -> network.set(now, LINK + id, StateLog.GONE));
        }
        for (int i = 0; i < after.size(); i++) {
            Link link = after.get(i);
            if (!same || link.up() != before.get(i).up()) {
                network.set(now, LINK + link.id(), word(link.up()));
            }
        }
    }

    private static boolean isUp(Network network, Host host) {
        return network.node(host.location().node())
                .map(node -> node.ports().get(host.location().port()))
                .map(Port::up)
                .orElse(true);
    }

    private static String word(boolean up) {
        return up ? UP : DOWN;
    }

    void node(long now, NodeStatus node) {
        network.set(now, NODE + node.node(), node.state().name());
    }

    void intent(long now, IntentRef intent, IntentState state) {
        intents.set(now, intent.toString(), state.name());
    }

    void take(long now, EngineEvent event) {
        if (event instanceof EngineEvent.IntentChanged changed) {
            intent(now, changed.intent(), changed.state());
        } else if (event instanceof EngineEvent.IntentRemoved removed) {
            intents.set(now, removed.intent().toString(), StateLog.GONE);
        } else if (event instanceof EngineEvent.NodeChanged changed) {
            node(now, changed.node());
        }
    }
}
