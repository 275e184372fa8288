// SPDX-License-Identifier: Apache-2.0
package org.sextant.core.provision;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.sextant.core.ip.IpAddress;
import org.sextant.core.ip.IpPrefix;
import org.sextant.core.port.Capabilities;
import org.sextant.core.table.Behavior.Family;
import org.sextant.core.table.EncapSource;
import org.sextant.core.table.Entry;
import org.sextant.core.table.MySid;
import org.sextant.core.table.NextHop;
import org.sextant.core.table.PortRestoration;
import org.sextant.core.table.Punt;
import org.sextant.core.table.Route;
import org.sextant.core.underlay.DomainEdge;
import org.sextant.core.underlay.NextHopIds;
import org.sextant.core.underlay.SidPlan;

/**
 * The entries of one node. All of them are in vrf 0, the main table.
 *
 * <pre>
 *   encap_source   the node's own                      punt       LLDP, which finds the links; ARP and
 *                                                       neighbor solicitations where no kernel answers
 *   next_hop       per neighbor, per host              my_sid     uN, uA per neighbor, decapsulation; for repairs, too
 *   route_v6       to every other SRv6 node (ECMP)     route_*    to every attached host
 *   restoration    per port with a link, if the network waits
 *   edge_sid, edge_source   the domain's               edge_port  the role of each port
 * </pre>
 */
final class NodeEntries {
    private static final int MAIN = 0;
    private static final int LLDP = 0x88cc;
    private static final int LLDP_PRIORITY = 100;
    private static final int ARP = 0x0806;
    private static final int NEIGHBOR_SOLICITATION = 135;
    private static final int NEIGHBORS_PRIORITY = 90;

    private final NodeProvision node;
    private final Optional<Capabilities> capabilities;
    private final List<Entry> entries = new ArrayList<>();

    /** Without {@code capabilities} the node is taken to offer everything. */
    NodeEntries(NodeProvision node, Optional<Capabilities> capabilities) {
        this.node = node;
        this.capabilities = capabilities;
    }

    List<Entry> all() {
        if (offers(Punt.TABLE, "to_controller")) {
            entries.add(Punt.etherType(LLDP_PRIORITY, LLDP));
            if (capabilities.map(Capabilities::stackless).orElse(false)) {
                entries.add(Punt.etherType(NEIGHBORS_PRIORITY, ARP));
                entries.add(Punt.icmpv6(NEIGHBORS_PRIORITY, NEIGHBOR_SOLICITATION));
            }
        }
        if (offers(NextHop.TABLE, "forward")) {
            nextHops();
            routes();
        }
        if (offers(PortRestoration.TABLE, PortRestoration.ACTION)) {
            waits();
        }
        node.sids().ifPresent(this::sids);
        if (DomainEdge.offered(capabilities)) {
            node.edge().entries().forEach(entries::add);
        }
        return entries;
    }

    private void nextHops() {
        node.neighbors()
                .forEach(neighbor -> entries.add(new NextHop(
                        NextHopIds.ofPort(neighbor.port()),
                        neighbor.port(),
                        neighbor.source(),
                        neighbor.destination())));
        node.hosts().stream()
                .map(host -> new NextHop(host.nextHop(), host.port(), host.source(), host.destination()))
                .distinct()
                .forEach(entries::add);
    }

    private void sids(SidPlan sids) {
        if (offers(EncapSource.TABLE, "set_encap_source")) {
            entries.add(new EncapSource(sids.srv6().encapSource()));
        }
        sid(sids.un());
        node.neighbors().forEach(neighbor -> sid(sids.ua(neighbor.port())));
        for (Family family : List.of(Family.IPV6, Family.IPV4)) {
            sid(sids.marker(family));
            sid(sids.udt(family, MAIN));
            sids.numberedUdt(family).ifPresent(this::sid);
        }
        List<Integer> ports =
                node.neighbors().stream().map(NodeProvision.Neighbor::port).toList();
        sids.repairs().ifPresent(repairs -> repairs.all(ports).forEach(this::sid));
    }

    private void sid(MySid sid) {
        if (offers(MySid.TABLE, sid.behavior().action())) {
            entries.add(sid);
        }
    }

    private void routes() {
        node.routes()
                .forEach((prefix, ports) ->
                        route(prefix, ports.stream().map(NextHopIds::ofPort).toList()));
        node.hosts()
                .forEach(host -> host.addresses().forEach(address -> route(whole(address), List.of(host.nextHop()))));
    }

    /** A port keeps its wait while its link is down. */
    private void waits() {
        int millis = (int) node.waitToRestore().toMillis();
        if (millis > 0) {
            node.edge().internalPorts().forEach(port -> entries.add(new PortRestoration(port, millis)));
        }
    }

    private void route(IpPrefix destination, List<Integer> nextHops) {
        if (offers(destination.isIpv6() ? Route.TABLE_V6 : Route.TABLE_V4, "set_next_hop")) {
            entries.add(new Route(
                    MAIN,
                    destination,
                    nextHops.stream()
                            .map(nextHop -> new Route.Member(1, nextHop))
                            .toList()));
        }
    }

    private static IpPrefix whole(IpAddress address) {
        return new IpPrefix(address, address.bits());
    }

    private boolean offers(String table, String action) {
        return capabilities.map(offered -> offered.offers(table, action)).orElse(true);
    }
}
