// SPDX-License-Identifier: Apache-2.0
package org.sextant.onos.netcfg;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.onosproject.core.ApplicationId;
import org.onosproject.net.ConnectPoint;
import org.onosproject.net.DeviceId;
import org.onosproject.net.HostId;
import org.onosproject.net.LinkKey;
import org.onosproject.net.config.Config;
import org.onosproject.net.config.NetworkConfigService;
import org.onosproject.net.config.basics.BasicDeviceConfig;
import org.onosproject.net.config.basics.BasicHostConfig;
import org.onosproject.net.config.basics.BasicLinkConfig;
import org.onosproject.net.config.basics.InterfaceConfig;
import org.sextant.core.Problem;
import org.sextant.core.net.Network;
import org.sextant.core.net.NetworkFile;

/** ONOS's network configuration as one network description. */
public final class NetcfgDocument {
    /** More faults than this are one: the document is not ours. */
    private static final int MAX_ROUNDS = 100;

    private NetcfgDocument() {}

    /** A network without problems, and the problems of the parts that were left out to get there. */
    public record Reading(Network network, List<Problem> problems) {
        public Reading {
            problems = List.copyOf(problems);
        }
    }

    public static ObjectNode of(NetworkConfigService netcfg, ApplicationId app) {
        ObjectNode document = JsonNodeFactory.instance.objectNode();
        put(document, "apps", app.name(), "srv6", netcfg.getConfig(app, Srv6AppConfig.class));
        for (DeviceId device : netcfg.getSubjects(DeviceId.class)) {
            put(document, "devices", device.toString(), "basic", netcfg.getConfig(device, BasicDeviceConfig.class));
            put(document, "devices", device.toString(), "srv6", netcfg.getConfig(device, Srv6DeviceConfig.class));
        }
        for (ConnectPoint port : netcfg.getSubjects(ConnectPoint.class)) {
            put(document, "ports", text(port), "interfaces", netcfg.getConfig(port, InterfaceConfig.class));
            put(document, "ports", text(port), "srv6", netcfg.getConfig(port, Srv6PortConfig.class));
        }
        for (LinkKey link : netcfg.getSubjects(LinkKey.class)) {
            String key = text(link.src()) + "-" + text(link.dst());
            put(document, "links", key, "basic", netcfg.getConfig(link, BasicLinkConfig.class));
            put(document, "links", key, "srv6", netcfg.getConfig(link, Srv6LinkConfig.class));
        }
        for (HostId host : netcfg.getSubjects(HostId.class)) {
            put(document, "hosts", host.toString(), "basic", netcfg.getConfig(host, BasicHostConfig.class));
        }
        return document;
    }

    /** ONOS adds the name of a port where it knows one, {@code [n2](1)}. */
    private static String text(ConnectPoint port) {
        return port.deviceId() + "/" + port.port().toLong();
    }

    private static void put(ObjectNode document, String section, String subject, String key, Config<?> config) {
        if (config != null) {
            document.with(section).with(subject).set(key, config.node());
        }
    }

    /** Reads the parts that can be read: a subject with a problem is left out, and then those that needed it. */
    public static Reading read(ObjectNode document) {
        ObjectNode rest = document.deepCopy();
        List<Problem> problems = new ArrayList<>();
        for (int round = 0; round < MAX_ROUNDS; round++) {
            NetworkFile.Reading reading = NetworkFile.read(rest);
            if (reading.problems().isEmpty()) {
                return new Reading(reading.network(), problems);
            }
            Problem first = reading.problems().get(0);
            problems.add(first);
            if (!leaveOut(rest, first.field())) {
                break;
            }
        }
        return new Reading(Network.EMPTY, problems);
    }

    /**
     * Removes the part that a JSON pointer points into: {@code /devices/device:l1/srv6/uSid} is a fault of the device.
     */
    private static boolean leaveOut(ObjectNode document, String pointer) {
        String[] steps = pointer.split("/");
        if (steps.length < 3) {
            return false;
        }
        String subject = steps[2].replace("~1", "/").replace("~0", "~");
        return Optional.of(document.path(steps[1]))
                .filter(JsonNode::isObject)
                .map(section -> ((ObjectNode) section).remove(subject) != null)
                .orElse(false);
    }
}
