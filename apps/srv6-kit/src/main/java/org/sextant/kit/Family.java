// SPDX-License-Identifier: Apache-2.0
package org.sextant.kit;

import org.sextant.core.ip.IpAddress;
import org.sextant.core.ip.IpPrefix;
import org.sextant.core.ip.Ipv6;
import org.sextant.core.table.Behavior;

/** The address family of the packets that an intent is about. */
public enum Family {
    IPV6("ipv6"),
    IPV4("ipv4");

    private final String spelling;

    Family(String spelling) {
        this.spelling = spelling;
    }

    /** The spelling in JSON and CLI. */
    public String spelling() {
        return spelling;
    }

    /** The family's name in the contract's behaviors. */
    public Behavior.Family inside() {
        return this == IPV6 ? Behavior.Family.IPV6 : Behavior.Family.IPV4;
    }

    public static Family of(IpAddress address) {
        return address instanceof Ipv6 ? IPV6 : IPV4;
    }

    public static Family of(IpPrefix prefix) {
        return of(prefix.address());
    }
}
