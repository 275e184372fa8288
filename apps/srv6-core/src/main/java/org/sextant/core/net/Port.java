// SPDX-License-Identifier: Apache-2.0
package org.sextant.core.net;

import java.util.List;
import java.util.Optional;
import org.sextant.core.ip.IpAddress;
import org.sextant.core.ip.MacAddress;

/**
 * A port of a node.
 *
 * @param number 1 to 510, the contract's port
 * @param name the interface's name on the node, if known
 * @param mac learned from the node (gNMI) or described; nothing can be forwarded through a port without it
 * @param mtuBytes largest IP packet, 0 if unknown
 * @param up operational state; true until the node reports another one
 * @param addresses interface addresses with prefix lengths kept aside, for the node's own hosts
 * @param speedKbps the speed of its link as the node reports it, in kbit/s; 0 if it does not, as for a port that is
 *     down or has no speed of its own
 * @param role the configured one; {@link PortRoles} derives it elsewhere
 */
public record Port(
        int number,
        Optional<String> name,
        Optional<MacAddress> mac,
        int mtuBytes,
        boolean up,
        List<InterfaceAddress> addresses,
        Optional<PortRole> role,
        long speedKbps) {

    public Port {
        if (number < 1 || number > 510) {
            throw new IllegalArgumentException("port " + number + " is not within 1 to 510");
        }
        if (speedKbps < 0) {
            throw new IllegalArgumentException("a port's speed is 0 or more");
        }
        addresses = List.copyOf(addresses);
    }

    /** A port whose role is derived. */
    public Port(
            int number,
            Optional<String> name,
            Optional<MacAddress> mac,
            int mtuBytes,
            boolean up,
            List<InterfaceAddress> addresses) {
        this(number, name, mac, mtuBytes, up, addresses, Optional.empty());
    }

    /** A port whose node does not report its speed. */
    public Port(
            int number,
            Optional<String> name,
            Optional<MacAddress> mac,
            int mtuBytes,
            boolean up,
            List<InterfaceAddress> addresses,
            Optional<PortRole> role) {
        this(number, name, mac, mtuBytes, up, addresses, role, 0);
    }

    /** The same port with another state. */
    public Port withUp(boolean state) {
        return new Port(number, name, mac, mtuBytes, state, addresses, role, speedKbps);
    }

    /** The same port with another speed; 0 for none. */
    public Port withSpeedKbps(long kbps) {
        return new Port(number, name, mac, mtuBytes, up, addresses, role, kbps);
    }

    /** An address as configured on an interface, such as fd00:0:11::1/64. */
    public record InterfaceAddress(IpAddress address, int prefixLength) {}
}
