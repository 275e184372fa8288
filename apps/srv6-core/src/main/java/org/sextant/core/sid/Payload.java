// SPDX-License-Identifier: Apache-2.0
package org.sextant.core.sid;

import java.util.Optional;
import org.sextant.core.ip.IpAddress;
import org.sextant.core.ip.Ipv6;
import org.sextant.core.table.Behavior.Family;

/** A user's packet; without a destination the walk does not look it up behind the decapsulation. */
public record Payload(Family family, Optional<IpAddress> destination) implements Inner {
    public Payload {
        if (family == Family.BOTH) {
            throw new IllegalArgumentException("a packet is IPv4 or IPv6");
        }
        if (destination.isPresent() && (destination.get() instanceof Ipv6) != (family == Family.IPV6)) {
            throw new IllegalArgumentException(destination.get() + " is not an address of " + family);
        }
    }

    public static Payload to(IpAddress destination) {
        return new Payload(destination instanceof Ipv6 ? Family.IPV6 : Family.IPV4, Optional.of(destination));
    }

    public static Payload of(Family family) {
        return new Payload(family, Optional.empty());
    }
}
