// SPDX-License-Identifier: Apache-2.0
package org.sextant.core.net;

import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;
import org.sextant.core.Problem;
import org.sextant.core.ip.IpAddress;
import org.sextant.core.ip.IpPrefix;
import org.sextant.core.ip.Ipv6;
import org.sextant.core.ip.MacAddress;

/**
 * Finds duplicate uSIDs, addresses and MAC addresses of nodes and hosts. A uSID is compared as the prefix that it forms
 * with its block, because blocks may lie within each other; and no other address may be under that prefix, because the
 * node takes packets to it for a SID with arguments.
 */
final class AddressCheck {
    private final List<Problem> problems;

    AddressCheck(List<Problem> problems) {
        this.problems = problems;
    }

    void check(List<Node> nodes, Collection<Host> hosts) {
        checkUsids(nodes);
        checkGtpLocators(nodes);
        checkAmongSids(nodes, hosts);
        Map<IpAddress, String> ownerOf = new HashMap<>();
        for (Node node : nodes) {
            node.srv6()
                    .ifPresent(srv6 -> own(
                            ownerOf,
                            srv6.encapSource(),
                            "node " + node.name(),
                            pointer("devices", node.deviceId()) + "/srv6/encapSource"));
            node.ports()
                    .values()
                    .forEach(port -> port.addresses()
                            .forEach(on ->
                                    ownerOf.putIfAbsent(on.address(), "port " + node.name() + "/" + port.number())));
        }
        Map<MacAddress, String> macs = new HashMap<>();
        for (Host host : hosts) {
            host.addresses().forEach(address -> own(ownerOf, address, "host " + host.name(), at(host)));
            host.mac().ifPresent(mac -> {
                String other = macs.putIfAbsent(mac, host.name());
                if (other != null) {
                    conflict(at(host), "MAC address " + mac + " is taken by host " + other, "give every host its own");
                }
            });
        }
    }

    private void own(Map<IpAddress, String> ownerOf, IpAddress address, String owner, String at) {
        String other = ownerOf.putIfAbsent(address, owner);
        if (other != null) {
            conflict(
                    at,
                    "address " + address + " of " + owner + " is taken by " + other,
                    "give every node and host its own");
        }
    }

    /** @param field of the node's description that makes it */
    private record NodeSid(IpPrefix prefix, Node node, String field) {
        static Optional<NodeSid> of(Node node) {
            return node.srv6().map(srv6 -> new NodeSid(RepairUsids.prefix(srv6, srv6.usid()), node, "uSid"));
        }

        /** The SIDs of the node, and those of its repairs where the description names them. */
        static Stream<NodeSid> all(Node node) {
            Stream<NodeSid> repairs = node.srv6().stream()
                    .flatMap(srv6 -> srv6.repairUsid().stream()
                            .mapToObj(
                                    usid -> new NodeSid(RepairUsids.prefix(srv6, usid), node, Srv6Reader.REPAIR_USID)));
            return Stream.concat(of(node).stream(), repairs);
        }

        long usid() {
            Srv6 srv6 = node.srv6().orElseThrow();
            return ((Ipv6) prefix.address())
                    .bits(srv6.format().blockLength(), srv6.format().usidLength());
        }
    }

    private void checkGtpLocators(List<Node> nodes) {
        List<Node> with = nodes.stream()
                .filter(node -> node.srv6().flatMap(Srv6::gtpLocator).isPresent())
                .toList();
        for (int i = 0; i < with.size(); i++) {
            Node node = with.get(i);
            IpPrefix locator = node.srv6().flatMap(Srv6::gtpLocator).orElseThrow();
            String at = pointer("devices", node.deviceId()) + "/srv6/gtpLocator";
            nodes.stream()
                    .flatMap(other -> other.srv6().map(Srv6::block).stream())
                    .filter(block -> overlap(block, locator))
                    .findFirst()
                    .ifPresent(block -> conflict(
                            at,
                            "gtpLocator " + locator + " and block " + block + " overlap",
                            "choose one outside of all blocks"));
            with.subList(0, i).stream()
                    .filter(other ->
                            overlap(other.srv6().flatMap(Srv6::gtpLocator).orElseThrow(), locator))
                    .findFirst()
                    .ifPresent(other -> conflict(
                            at,
                            "gtpLocator " + locator + " of node " + node.name() + " overlaps that of " + other.name(),
                            "give every node its own"));
        }
    }

    private static boolean overlap(IpPrefix one, IpPrefix other) {
        return one.contains(other.address()) || other.contains(one.address());
    }

    /** The only address among SIDs is the uN of the node itself, which is its source unless it is given another. */
    private void checkAmongSids(List<Node> nodes, Collection<Host> hosts) {
        List<NodeSid> sids =
                new ArrayList<>(nodes.stream().flatMap(NodeSid::all).toList());
        for (Node node : nodes) {
            node.srv6()
                    .flatMap(Srv6::gtpLocator)
                    .ifPresent(locator -> sids.add(new NodeSid(locator, node, "gtpLocator")));
        }
        for (Node node : nodes) {
            Optional<IpAddress> un = NodeSid.of(node).map(sid -> sid.prefix.address());
            node.srv6()
                    .map(Srv6::encapSource)
                    .filter(source -> !un.equals(Optional.of(source)))
                    .ifPresent(source ->
                            amongSids(sids, source, pointer("devices", node.deviceId()) + "/srv6/encapSource"));
            node.ports()
                    .values()
                    .forEach(port -> port.addresses()
                            .forEach(on -> amongSids(
                                    sids,
                                    on.address(),
                                    pointer("ports", node.deviceId() + "/" + port.number()) + "/interfaces")));
        }
        hosts.forEach(host -> host.addresses().forEach(address -> amongSids(sids, address, at(host))));
    }

    private void amongSids(List<NodeSid> sids, IpAddress address, String at) {
        sids.stream()
                .filter(sid -> sid.prefix.contains(address))
                .findFirst()
                .ifPresent(sid -> conflict(
                        at,
                        "address " + address + " lies among the SIDs of node " + sid.node.name() + ", " + sid.prefix,
                        "give it an address outside of the blocks of SIDs"));
    }

    private void checkUsids(List<Node> nodes) {
        List<NodeSid> sids = new ArrayList<>();
        for (Node node : nodes) {
            NodeSid.all(node).forEach(sids::add);
        }
        // Stable, so of two equal ones the later device is blamed; a prefix sorts directly before the ones within it.
        sids.sort(Comparator.comparing((NodeSid sid) -> (Ipv6) sid.prefix.address())
                .thenComparing(sid -> sid.prefix.length()));
        NodeSid around = null;
        for (NodeSid sid : sids) {
            if (around != null && around.prefix.contains(sid.prefix.address())) {
                String at = pointer("devices", sid.node.deviceId()) + "/srv6/" + sid.field;
                conflict(
                        at,
                        "uSID 0x" + Long.toHexString(sid.usid()) + " of node " + sid.node.name()
                                + " makes SID " + sid.prefix + ", which " + around.prefix + " of node "
                                + around.node.name() + " covers",
                        "give every node of a block its own uSID");
            } else {
                around = sid;
            }
        }
    }

    private void conflict(String at, String message, String remedy) {
        problems.add(new Problem(Problem.Code.CONFLICT, at, message, remedy));
    }

    private static String at(Host host) {
        return pointer("hosts", NetworkWriter.key(host)) + "/basic/ips";
    }

    private static String pointer(String section, String key) {
        return "/" + section + "/" + key.replace("~", "~0").replace("/", "~1");
    }
}
