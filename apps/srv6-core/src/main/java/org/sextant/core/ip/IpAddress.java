// SPDX-License-Identifier: Apache-2.0
package org.sextant.core.ip;

/** An IPv4 or IPv6 address. */
public sealed interface IpAddress permits Ipv4, Ipv6 {

    /** 32 or 128. */
    int bits();

    /** This address with all bits behind the first {@code length} set to zero. */
    IpAddress truncate(int length);

    /** Network byte order, 4 or 16 bytes. */
    byte[] toBytes();

    /**
     * Parses dotted-quad IPv4 or any RFC 4291 text form of IPv6; never resolves names.
     *
     * @throws IllegalArgumentException if {@code text} is neither; the message quotes it
     */
    static IpAddress parse(String text) {
        return text.indexOf(':') >= 0 ? Ipv6.parse(text) : Ipv4.parse(text);
    }
}
