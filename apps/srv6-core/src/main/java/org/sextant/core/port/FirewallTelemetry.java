// SPDX-License-Identifier: Apache-2.0
package org.sextant.core.port;

import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;
import org.sextant.core.ip.IpAddress;
import org.sextant.core.ip.Ipv6;
import org.sextant.core.port.DataPlane.Counters;

/**
 * Reports of the nodes' firewalls, in the numbers of table {@code firewall}: the app that wrote the rows can interpret
 * them. Like {@link Telemetry} it is for display, and a host that cannot report leaves the service out. Nodes are
 * polled only while a listener is subscribed; nodes without firewalls send no reports.
 */
public interface FirewallTelemetry {

    /**
     * Calls {@code listener} with each packet that a rule with {@code log} has judged, from one thread, in each
     * firewall's order. A slow listener misses the oldest, and receives their number ({@link Logged#lost}).
     */
    Subscription onLogged(Consumer<Logged> listener);

    /**
     * Calls {@code listener} with the counters of all rules of a firewall at the node's first report, and then, every
     * two seconds, with those that counted; from one thread.
     */
    Subscription onCounted(Consumer<Counted> listener);

    /**
     * A packet at a firewall.
     *
     * @param at when the node received it, by its clock
     * @param instance of the firewall on its node
     * @param ruleSet {@code firewall} of the row that took it
     * @param action of the row, as P4Info calls it
     * @param dropped why it was dropped although the action is another, as cells of {@code firewall_dropped} are called
     * @param sid where the packet came to
     * @param unlogged packets that the node did not report before it, as there were too many in a second
     * @param lost reports of this firewall before it that were lost on the path to the controller
     */
    record Logged(
            String node,
            Instant at,
            int instance,
            int ruleSet,
            int priority,
            String action,
            Optional<String> dropped,
            Ipv6 sid,
            Inside inside,
            long unlogged,
            long lost) {

        public Logged withLost(long more) {
            return new Logged(
                    node, at, instance, ruleSet, priority, action, dropped, sid, inside, unlogged, lost + more);
        }
    }

    /**
     * The packet inside.
     *
     * @param ports source and destination, where it has them
     * @param icmp type and code, where it has them
     */
    record Inside(IpAddress source, IpAddress destination, int protocol, Optional<Pair> ports, Optional<Pair> icmp) {}

    /** Two numbers that go together. */
    record Pair(int first, int second) {}

    /** Counters of some rules of a firewall. */
    record Counted(String node, int instance, List<Rule> rules) {
        public Counted {
            rules = List.copyOf(rules);
        }
    }

    /** All rows of a rule set that have a priority, summed up. */
    record Rule(int ruleSet, int priority, Counters counters) {}
}
