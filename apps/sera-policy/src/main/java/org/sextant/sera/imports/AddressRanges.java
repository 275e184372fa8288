// SPDX-License-Identifier: Apache-2.0
package org.sextant.sera.imports;

import java.math.BigInteger;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.sextant.core.ip.IpAddress;
import org.sextant.core.ip.IpPrefix;
import org.sextant.core.ip.Ipv4;
import org.sextant.core.ip.Ipv6;
import org.sextant.sera.Firewall;

/** Addresses of one family; adjacent ranges are merged, so that they form as few prefixes as possible. */
final class AddressRanges {
    private static final int MOST = Firewall.MOST_ROWS;

    private final int bits;
    private final TreeMap<BigInteger, BigInteger> lastByFirst = new TreeMap<>();

    /** @param bits of an address: 32 or 128 */
    AddressRanges(int bits) {
        this.bits = bits;
    }

    /** Adds an address, a prefix or a range {@code first-last}. */
    void add(String text) throws Refused {
        BigInteger[] ends = ends(text);
        BigInteger first = ends[0];
        BigInteger last = ends[1];
        Map.Entry<BigInteger, BigInteger> before = lastByFirst.floorEntry(last.add(BigInteger.ONE));
        while (before != null && before.getValue().compareTo(first.subtract(BigInteger.ONE)) >= 0) {
            first = first.min(before.getKey());
            last = last.max(before.getValue());
            lastByFirst.remove(before.getKey());
            before = lastByFirst.floorEntry(last.add(BigInteger.ONE));
        }
        lastByFirst.put(first, last);
    }

    void remove(String text) throws Refused {
        BigInteger[] ends = ends(text);
        Map.Entry<BigInteger, BigInteger> met = lastByFirst.floorEntry(ends[1]);
        while (met != null && met.getValue().compareTo(ends[0]) >= 0) {
            lastByFirst.remove(met.getKey());
            if (met.getKey().compareTo(ends[0]) < 0) {
                lastByFirst.put(met.getKey(), ends[0].subtract(BigInteger.ONE));
            }
            if (met.getValue().compareTo(ends[1]) > 0) {
                lastByFirst.put(ends[1].add(BigInteger.ONE), met.getValue());
            }
            met = lastByFirst.floorEntry(ends[1]);
        }
    }

    /** @throws Refused if the addresses form more prefixes than a firewall can have entries */
    List<IpPrefix> prefixes() throws Refused {
        List<IpPrefix> prefixes = new ArrayList<>();
        for (Map.Entry<BigInteger, BigInteger> range : lastByFirst.entrySet()) {
            BigInteger first = range.getKey();
            while (first.compareTo(range.getValue()) <= 0) {
                BigInteger size = range.getValue().subtract(first).add(BigInteger.ONE);
                int host = Math.min(first.signum() == 0 ? bits : first.getLowestSetBit(), size.bitLength() - 1);
                prefixes.add(new IpPrefix(address(first), bits - host));
                first = first.add(BigInteger.ONE.shiftLeft(host));
            }
            if (prefixes.size() > MOST) {
                throw new Refused(
                        "its addresses are more than " + MOST + " prefixes, and a firewall has no more rows on a node");
            }
        }
        return prefixes;
    }

    private BigInteger[] ends(String text) throws Refused {
        int dash = text.indexOf('-');
        if (dash < 0) {
            IpPrefix prefix = Draft.peer(text, false).prefix().orElseThrow();
            BigInteger first = number(prefix.address());
            BigInteger size = BigInteger.ONE.shiftLeft(bits - prefix.length());
            return new BigInteger[] {first, first.add(size).subtract(BigInteger.ONE)};
        }
        BigInteger first = number(Draft.read(() -> IpAddress.parse(text.substring(0, dash))));
        BigInteger last = number(Draft.read(() -> IpAddress.parse(text.substring(dash + 1))));
        if (first.compareTo(last) > 0) {
            throw new Refused("the range " + text + " is upside down");
        }
        return new BigInteger[] {first, last};
    }

    private BigInteger number(IpAddress address) throws Refused {
        if (address.bits() != bits) {
            throw new Refused(address + " is an address of the other version of IP");
        }
        return new BigInteger(1, address instanceof Ipv4 four ? four.toBytes() : ((Ipv6) address).toBytes());
    }

    private IpAddress address(BigInteger number) {
        return bits == 32
                ? new Ipv4(number.intValue())
                : new Ipv6(number.shiftRight(64).longValue(), number.longValue());
    }
}
