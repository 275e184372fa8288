// SPDX-License-Identifier: Apache-2.0
package org.sextant.core.table;

import java.math.BigInteger;
import org.sextant.core.ip.IpAddress;
import org.sextant.core.ip.Ipv4;
import org.sextant.core.ip.Ipv6;
import org.sextant.core.ip.MacAddress;

/** Values of fields and parameters as the unsigned numbers of a row. */
public final class Values {
    private static final BigInteger MAPPED = BigInteger.valueOf(0xffff).shiftLeft(32);

    private Values() {}

    /** @param value taken as unsigned */
    public static BigInteger number(int value) {
        return BigInteger.valueOf(Integer.toUnsignedLong(value));
    }

    public static BigInteger flag(boolean value) {
        return value ? BigInteger.ONE : BigInteger.ZERO;
    }

    /** @param value not negative */
    public static BigInteger wide(long value) {
        return BigInteger.valueOf(value);
    }

    public static BigInteger number(IpAddress address) {
        return new BigInteger(1, address.toBytes());
    }

    public static BigInteger number(MacAddress address) {
        return BigInteger.valueOf(address.value());
    }

    static Ipv6 ipv6(BigInteger value) {
        return new Ipv6(value.shiftRight(64).longValue(), value.longValue());
    }

    /** An address in a field of 128 bits: IPv4 as ::ffff:0:0/96. */
    static BigInteger mapped(IpAddress address) {
        return address instanceof Ipv4 four ? MAPPED.or(number(four)) : number(address);
    }

    /** The address of a field of 128 bits. */
    static IpAddress unmapped(BigInteger value) {
        return value.shiftRight(32).equals(MAPPED.shiftRight(32)) ? new Ipv4(value.intValue()) : ipv6(value);
    }

    /** The mask of a prefix in a field of so many bits. */
    static BigInteger mask(int bits, int length) {
        return BigInteger.ONE.shiftLeft(length).subtract(BigInteger.ONE).shiftLeft(bits - length);
    }
}
