// SPDX-License-Identifier: Apache-2.0
package org.sextant.core.net;

import java.util.List;
import java.util.Optional;
import org.sextant.core.ip.IpAddress;
import org.sextant.core.ip.MacAddress;

/** An end system behind a port of an edge node; {@code mac} is empty where the node resolves it itself. */
public record Host(String name, Optional<MacAddress> mac, List<IpAddress> addresses, Link.End location) {
    public Host {
        addresses = List.copyOf(addresses);
    }
}
