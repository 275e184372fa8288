// SPDX-License-Identifier: Apache-2.0
package org.sextant.northbound.view;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.time.temporal.ChronoUnit;
import java.util.Optional;
import java.util.Set;
import org.sextant.core.ip.Ipv6;
import org.sextant.core.net.Host;
import org.sextant.core.net.Link;
import org.sextant.core.net.Network;
import org.sextant.core.net.Node;
import org.sextant.core.net.Overload;
import org.sextant.core.net.Port;
import org.sextant.core.net.Srv6;
import org.sextant.core.text.Moments;

/** The network as REST and CLI show it. */
public final class TopologyView {
    private TopologyView() {}

    /** @param ready names of the nodes whose tables can be written now */
    public static ObjectNode of(Network network, Set<String> ready) {
        ObjectNode view = JsonNodeFactory.instance.objectNode();
        ArrayNode nodes = view.putArray("nodes");
        network.nodes().values().forEach(node -> nodes.add(node(node, network, ready.contains(node.name()))));
        ArrayNode links = view.putArray("links");
        network.links().forEach(link -> links.add(link(link, network)));
        ArrayNode hosts = view.putArray("hosts");
        network.hosts().values().forEach(host -> hosts.add(host(host)));
        return view;
    }

    public static ObjectNode node(Node node, Network network, boolean ready) {
        ObjectNode view = JsonNodeFactory.instance.objectNode();
        view.put("name", node.name())
                .put("deviceId", node.deviceId())
                .put("ready", ready)
                .put("management", node.management())
                .put("pipeconf", node.pipeconf());
        overload(view, network, node.name());
        node.srv6().ifPresent(srv6 -> view.set("srv6", srv6(srv6)));
        ArrayNode ports = view.putArray("ports");
        node.ports().values().forEach(port -> ports.add(port(port)));
        node.location()
                .ifPresent(location -> view.putObject("location")
                        .put("type", location.type())
                        .put("x", location.x())
                        .put("y", location.y()));
        return view;
    }

    /** Says since when a node is overloaded, and whether it is drained; nothing of one that is not overloaded. */
    static void overload(ObjectNode view, Network network, String node) {
        Overload overload = network.overloads().get(node);
        if (overload != null) {
            view.put("overloadedSince", Moments.iso(overload.since())).put("drained", overload.drained());
        }
    }

    /** A uSID in the width of its format, such as {@code 0100}. */
    public static String usid(Srv6 srv6) {
        return usid(srv6, srv6.usid());
    }

    private static String usid(Srv6 srv6, long usid) {
        return String.format("%0" + srv6.format().usidLength() / 4 + "x", usid);
    }

    private static ObjectNode srv6(Srv6 srv6) {
        Ipv6 block = (Ipv6) srv6.block().address();
        Ipv6 sid = block.with(srv6.format().blockLength(), srv6.format().usidLength(), srv6.usid());
        ObjectNode view = JsonNodeFactory.instance
                .objectNode()
                .put("block", srv6.block().toString())
                .put("format", srv6.format().name())
                .put("uSid", usid(srv6))
                .put("sid", sid.toString())
                .put("encapSource", srv6.encapSource().toString());
        srv6.repairUsid().ifPresent(usid -> view.put("repairUSid", usid(srv6, usid)));
        return view;
    }

    private static ObjectNode port(Port port) {
        ObjectNode view = JsonNodeFactory.instance.objectNode();
        view.put("number", port.number()).put("up", port.up());
        port.name().ifPresent(name -> view.put("name", name));
        port.mac().ifPresent(mac -> view.put("mac", mac.toString()));
        if (port.mtuBytes() > 0) {
            view.put("mtuBytes", port.mtuBytes());
        }
        if (port.speedKbps() > 0) {
            view.put("speedKbps", port.speedKbps());
        }
        return view;
    }

    private static ObjectNode link(Link link, Network network) {
        long speedKbps = network.speedKbps(link);
        ObjectNode view = JsonNodeFactory.instance.objectNode();
        view.put("id", link.id()).put("up", link.up());
        Optional.ofNullable(network.restores().get(link.id()))
                .ifPresent(due ->
                        view.put("restores", due.truncatedTo(ChronoUnit.MILLIS).toString()));
        view.putObject("from")
                .put("node", link.from().node())
                .put("port", link.from().port());
        view.putObject("to").put("node", link.to().node()).put("port", link.to().port());
        view.put("igpMetric", link.igpMetric()).put("teMetric", link.teMetric());
        if (link.delayMicros() > 0) {
            view.put("delayMicros", link.delayMicros());
        }
        if (link.measuredDelayMicros() > 0) {
            view.put("measuredDelayMicros", link.measuredDelayMicros());
        }
        if (link.mtuBytes() > 0) {
            view.put("mtuBytes", link.mtuBytes());
        }
        if (link.capacityKbps() > 0) {
            view.put("capacityKbps", link.capacityKbps());
        }
        if (speedKbps > 0) {
            view.put("speedKbps", speedKbps);
        }
        ArrayNode srlgs = view.putArray("srlgs");
        link.srlgs().forEach(srlgs::add);
        ArrayNode affinities = view.putArray("affinities");
        link.affinities().forEach(affinities::add);
        return view;
    }

    private static ObjectNode host(Host host) {
        ObjectNode view = JsonNodeFactory.instance.objectNode();
        view.put("name", host.name())
                .put("node", host.location().node())
                .put("port", host.location().port());
        host.mac().ifPresent(mac -> view.put("mac", mac.toString()));
        ArrayNode addresses = view.putArray("addresses");
        host.addresses().forEach(address -> addresses.add(address.toString()));
        return view;
    }
}
