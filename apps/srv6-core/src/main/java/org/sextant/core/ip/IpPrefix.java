// SPDX-License-Identifier: Apache-2.0
package org.sextant.core.ip;

/** An address prefix of either family; bits behind {@code length} are zero. */
public record IpPrefix(IpAddress address, int length) {

    public IpPrefix {
        if (length < 0 || length > address.bits()) {
            throw new IllegalArgumentException("prefix length " + length + " is not within 0 to " + address.bits());
        }
        if (!address.truncate(length).equals(address)) {
            throw new IllegalArgumentException(address + "/" + length + " has bits set behind its length; did you mean "
                    + address.truncate(length) + "/" + length + "?");
        }
    }

    /** The first {@code length} bits of {@code address}. */
    public static IpPrefix of(IpAddress address, int length) {
        return new IpPrefix(address.truncate(length), length);
    }

    /** Parses {@code address/length}; a bare address is a host prefix. Bits behind the length are an error. */
    public static IpPrefix parse(String text) {
        int slash = text.indexOf('/');
        if (slash < 0) {
            IpAddress address = IpAddress.parse(text);
            return new IpPrefix(address, address.bits());
        }
        String length = text.substring(slash + 1);
        if (!length.matches("[0-9]{1,3}")) {
            throw new IllegalArgumentException("not a prefix: " + Ipv6Text.shorten(text));
        }
        return new IpPrefix(IpAddress.parse(text.substring(0, slash)), Integer.parseInt(length));
    }

    public boolean contains(IpAddress other) {
        return other.bits() == address.bits() && other.truncate(length).equals(address);
    }

    public boolean isIpv6() {
        return address instanceof Ipv6;
    }

    @Override
    public String toString() {
        return address + "/" + length;
    }
}
