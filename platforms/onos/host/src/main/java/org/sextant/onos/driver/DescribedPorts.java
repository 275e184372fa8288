// SPDX-License-Identifier: Apache-2.0
package org.sextant.onos.driver;

import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import org.onosproject.net.ConnectPoint;
import org.onosproject.net.DeviceId;
import org.onosproject.net.PortNumber;
import org.onosproject.net.config.NetworkConfigService;
import org.onosproject.net.config.basics.InterfaceConfig;
import org.onosproject.net.device.DefaultPortDescription;
import org.onosproject.net.device.DeviceDescription;
import org.onosproject.net.device.DeviceDescriptionDiscovery;
import org.onosproject.net.device.PortDescription;
import org.onosproject.net.driver.AbstractHandlerBehaviour;
import org.onosproject.net.driver.DriverService;

/** The ports that the network description gives a node, all up: for a switch that has no gNMI to say otherwise. */
public class DescribedPorts extends AbstractHandlerBehaviour implements DeviceDescriptionDiscovery {

    @Override
    public DeviceDescription discoverDeviceDetails() {
        return of("p4runtime").discoverDeviceDetails();
    }

    final DeviceDescriptionDiscovery of(String driver) {
        return handler()
                .get(DriverService.class)
                .getDriver(driver)
                .createBehaviour(handler(), DeviceDescriptionDiscovery.class);
    }

    @Override
    public List<PortDescription> discoverPortDetails() {
        List<PortDescription> ports = new ArrayList<>();
        interfaces(handler().get(NetworkConfigService.class), data().deviceId())
                .forEach((number, name) -> ports.add(DefaultPortDescription.builder()
                        .withPortNumber(PortNumber.portNumber(number, name))
                        .isEnabled(true)
                        .build()));
        return ports;
    }

    /** Names of interfaces by port number. */
    static SortedMap<Long, String> interfaces(NetworkConfigService netcfg, DeviceId device) {
        SortedMap<Long, String> names = new TreeMap<>();
        Set<ConnectPoint> points = netcfg.getSubjects(ConnectPoint.class);
        for (ConnectPoint point : points) {
            InterfaceConfig config = netcfg.getConfig(point, InterfaceConfig.class);
            if (point.deviceId().equals(device) && config != null) {
                String name = config.node().path(0).path("name").asText("");
                names.put(point.port().toLong(), name.isEmpty() ? point.port().toString() : name);
            }
        }
        return names;
    }
}
