// SPDX-License-Identifier: Apache-2.0
package org.sextant.core.passage;

import java.util.Comparator;
import java.util.Optional;
import org.sextant.core.ip.IpAddress;
import org.sextant.core.ip.IpPrefix;
import org.sextant.core.ip.Ipv4;
import org.sextant.core.ip.Ipv6;

/** Addresses in their order; within one family. */
final class Addresses {
    /** By first address, the wider prefix first: prefixes within one follow it without a gap. */
    static final Comparator<IpPrefix> BY_ADDRESS =
            Comparator.comparing((IpPrefix prefix) -> number(prefix.address())).thenComparingInt(IpPrefix::length);

    private Addresses() {}

    /** The address as the first bits of 128, so that both families compare alike. */
    private static Ipv6 number(IpAddress address) {
        return address instanceof Ipv4 ipv4 ? new Ipv6((long) ipv4.value() << 32, 0) : (Ipv6) address;
    }

    /** The first address behind a prefix; empty behind the last. */
    static Optional<IpAddress> behind(IpPrefix prefix) {
        if (prefix.length() == 0) {
            return Optional.empty();
        }
        // The size of the prefix, added to its first address: its last bit, carried from the low half into the high
        // one.
        Ipv6 size = Ipv6.ZERO.with(prefix.length() - 1, 1, 1);
        Ipv6 first = number(prefix.address());
        long low = first.low() + size.low();
        long high = first.high() + size.high() + (Long.compareUnsigned(low, first.low()) < 0 ? 1 : 0);
        Ipv6 next = new Ipv6(high, low);
        if (next.isZero()) {
            return Optional.empty();
        }
        return Optional.of(prefix.isIpv6() ? next : new Ipv4((int) (high >>> 32)));
    }
}
