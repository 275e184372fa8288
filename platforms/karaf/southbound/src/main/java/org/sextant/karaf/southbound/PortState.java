// SPDX-License-Identifier: Apache-2.0
package org.sextant.karaf.southbound;

import java.util.Optional;
import org.sextant.core.ip.MacAddress;

/**
 * A node's report about one of its ports (openconfig-interfaces).
 *
 * @param number the contract's port number (openconfig-p4rt {@code id})
 * @param mtuBytes 0 if the node does not say
 * @param up administratively and operationally
 * @param speedKbps 0 if the node does not say
 */
public record PortState(int number, String name, Optional<MacAddress> mac, int mtuBytes, boolean up, long speedKbps) {

    /** One whose node does not say how fast it is. */
    public PortState(int number, String name, Optional<MacAddress> mac, int mtuBytes, boolean up) {
        this(number, name, mac, mtuBytes, up, 0);
    }
}
