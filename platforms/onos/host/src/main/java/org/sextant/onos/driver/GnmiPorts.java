// SPDX-License-Identifier: Apache-2.0
package org.sextant.onos.driver;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.onosproject.net.PortNumber;
import org.onosproject.net.config.NetworkConfigService;
import org.onosproject.net.device.DefaultPortDescription;
import org.onosproject.net.device.PortDescription;

/**
 * The described ports in the state that gNMI reports. ONOS's gNMI driver takes the kernel's ifindex for the port
 * number; the contract's number stands in the description, beside the interface's name.
 */
public final class GnmiPorts extends DescribedPorts {

    @Override
    public List<PortDescription> discoverPortDetails() {
        Map<String, PortDescription> told = new HashMap<>();
        of("gnmi")
                .discoverPortDetails()
                .forEach(port -> told.put(port.portNumber().name(), port));
        List<PortDescription> ports = new ArrayList<>();
        interfaces(handler().get(NetworkConfigService.class), data().deviceId()).forEach((number, name) -> {
            PortDescription port = told.get(name);
            if (port != null) {
                ports.add(DefaultPortDescription.builder(port)
                        .withPortNumber(PortNumber.portNumber(number, name))
                        .build());
            }
        });
        return ports;
    }
}
