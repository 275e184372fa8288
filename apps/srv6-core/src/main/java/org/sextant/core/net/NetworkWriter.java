// SPDX-License-Identifier: Apache-2.0
package org.sextant.core.net;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.HashMap;
import java.util.Map;
import org.sextant.core.ip.MacAddress;
import org.sextant.core.sid.SidFormat;

/**
 * The inverse of {@link NetworkReader}: every node has all its settings of its own, and two equal directions are one
 * link.
 */
final class NetworkWriter {
    private NetworkWriter() {}

    static ObjectNode write(Network network) {
        ObjectNode document = JsonNodeFactory.instance.objectNode();
        if (network.rules().measuredDelay()) {
            document.put(NetworkReader.MEASURED_DELAY, true);
        }
        if (network.rules().waitToRestore().toMillis() != LinkRules.DEFAULT_WAIT_MILLIS) {
            document.put(
                    NetworkReader.WAIT_TO_RESTORE,
                    network.rules().waitToRestore().toMillis());
        }
        if (network.rules().drainAfter().toMillis() != LinkRules.DEFAULT_DRAIN_MILLIS) {
            document.put(NetworkReader.DRAIN_AFTER, network.rules().drainAfter().toMillis());
        }
        ObjectNode devices = document.putObject("devices");
        ObjectNode ports = document.putObject("ports");
        network.nodes().values().forEach(node -> {
            device(devices.putObject(node.deviceId()), node);
            node.ports().values().forEach(port -> port(ports.putObject(node.deviceId() + "/" + port.number()), port));
        });
        links(document.putObject("links"), network);
        ObjectNode hosts = document.putObject("hosts");
        network.hosts().values().forEach(host -> host(hosts.putObject(key(host)), host, network));
        return document;
    }

    /** The key of a host in the document. */
    static String key(Host host) {
        return host.mac().map(MacAddress::toString).orElse(host.name()) + "/None";
    }

    private static void device(ObjectNode device, Node node) {
        ObjectNode basic = device.putObject("basic").put("name", node.name());
        if (!node.management().isEmpty()) {
            basic.put("managementAddress", node.management());
        }
        if (!node.pipeconf().isEmpty()) {
            basic.put("pipeconf", node.pipeconf());
        }
        node.location()
                .ifPresent(location -> basic.put("locType", location.type())
                        .put(location.type().equals("grid") ? "gridX" : "longitude", location.x())
                        .put(location.type().equals("grid") ? "gridY" : "latitude", location.y()));
        node.srv6().ifPresent(srv6 -> srv6(device.putObject("srv6"), srv6));
    }

    private static void srv6(ObjectNode json, Srv6 srv6) {
        SidFormat format = srv6.format();
        json.put("block", srv6.block().toString());
        if (SidFormat.byName(format.name()).filter(format::equals).isPresent()) {
            json.put("format", format.name());
        } else {
            json.putObject("format")
                    .put("block", format.blockLength())
                    .put("usid", format.usidLength())
                    .put("localStart", Long.toHexString(format.localStart()));
        }
        json.put("uSid", String.format("%0" + format.usidLength() / 4 + "x", srv6.usid()));
        srv6.repairUsid()
                .ifPresent(usid ->
                        json.put(Srv6Reader.REPAIR_USID, String.format("%0" + format.usidLength() / 4 + "x", usid)));
        json.put("encapSource", srv6.encapSource().toString());
        srv6.gtpLocator().ifPresent(locator -> json.put("gtpLocator", locator.toString()));
        if (srv6.edge().dropSrh() != EdgeSettings.DEFAULT.dropSrh()) {
            json.put("dropSrh", srv6.edge().dropSrh());
        }
        if (srv6.edge().knownSources() != EdgeSettings.DEFAULT.knownSources()) {
            json.put("knownSources", srv6.edge().knownSources());
        }
        if (!srv6.protection().equals(Protection.NONE)) {
            json.putObject("protection")
                    .put("link", srv6.protection().link())
                    .put("node", srv6.protection().node())
                    .put("srlg", srv6.protection().srlg());
        }
    }

    private static void port(ObjectNode json, Port port) {
        if (port.name().isPresent()
                || port.mac().isPresent()
                || !port.addresses().isEmpty()) {
            ObjectNode one = json.putArray("interfaces").addObject();
            port.name().ifPresent(name -> one.put("name", name));
            port.mac().ifPresent(mac -> one.put("mac", mac.toString()));
            if (!port.addresses().isEmpty()) {
                ArrayNode ips = one.putArray("ips");
                port.addresses().forEach(on -> ips.add(on.address() + "/" + on.prefixLength()));
            }
        }
        if (port.mtuBytes() > 0) {
            json.with("srv6").put("mtuBytes", port.mtuBytes());
        }
        port.role().ifPresent(role -> json.with("srv6").put("role", role.text()));
    }

    private static void links(ObjectNode json, Network network) {
        Map<String, Link> byId = new HashMap<>();
        network.links().forEach(link -> byId.put(link.id(), link));
        for (Link link : network.links()) {
            Link back = byId.get(link.to() + "-" + link.from());
            boolean bidirectional = back != null && sameButForDirection(link, back);
            if (bidirectional && back != null && back.compareTo(link) < 0) {
                continue;
            }
            ObjectNode one = json.putObject(end(link.from(), network) + "-" + end(link.to(), network));
            one.putObject("basic").put("bidirectional", bidirectional).put("type", "DIRECT");
            attributes(one.putObject("srv6"), link);
        }
    }

    private static boolean sameButForDirection(Link link, Link back) {
        return new Link(
                        back.to(),
                        back.from(),
                        back.igpMetric(),
                        back.teMetric(),
                        back.delayMicros(),
                        back.mtuBytes(),
                        back.srlgs(),
                        back.affinities(),
                        back.up(),
                        back.capacityKbps(),
                        back.measuredDelayMicros())
                .equals(link);
    }

    private static void attributes(ObjectNode json, Link link) {
        json.put("igpMetric", link.igpMetric());
        json.put("teMetric", link.teMetric());
        if (link.delayMicros() > 0) {
            json.put("delayMicros", link.delayMicros());
        }
        if (link.mtuBytes() > 0) {
            json.put("mtuBytes", link.mtuBytes());
        }
        if (link.capacityKbps() > 0) {
            json.put("capacityKbps", link.capacityKbps());
        }
        if (!link.srlgs().isEmpty()) {
            ArrayNode groups = json.putArray("srlg");
            link.srlgs().forEach(groups::add);
        }
        if (!link.affinities().isEmpty()) {
            ArrayNode colors = json.putArray("affinity");
            link.affinities().forEach(colors::add);
        }
    }

    private static void host(ObjectNode json, Host host, Network network) {
        ObjectNode basic = json.putObject("basic").put("name", host.name());
        ArrayNode ips = basic.putArray("ips");
        host.addresses().forEach(address -> ips.add(address.toString()));
        basic.putArray("locations").add(end(host.location(), network));
    }

    private static String end(Link.End end, Network network) {
        return network.node(end.node()).map(Node::deviceId).orElse(end.node()) + "/" + end.port();
    }
}
