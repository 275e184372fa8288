// SPDX-License-Identifier: Apache-2.0
package org.sextant.core.ip;

/** An IPv4 address; {@code value} holds it in network bit order. */
public record Ipv4(int value) implements IpAddress {

    /** @throws IllegalArgumentException unless {@code text} is four decimal numbers without leading zeros */
    public static Ipv4 parse(String text) {
        String[] parts = text.length() > 15 ? new String[0] : text.split("\\.", -1);
        if (parts.length != 4) {
            throw bad(text);
        }
        int value = 0;
        for (String part : parts) {
            if (!part.matches("0|[1-9][0-9]{0,2}") || Integer.parseInt(part) > 255) {
                throw bad(text);
            }
            value = value << 8 | Integer.parseInt(part);
        }
        return new Ipv4(value);
    }

    private static IllegalArgumentException bad(String text) {
        return new IllegalArgumentException("not an IPv4 address: " + Ipv6Text.shorten(text));
    }

    @Override
    public int bits() {
        return 32;
    }

    @Override
    public Ipv4 truncate(int length) {
        return new Ipv4(length == 0 ? 0 : value & -1 << 32 - length);
    }

    @Override
    public byte[] toBytes() {
        return new byte[] {(byte) (value >>> 24), (byte) (value >>> 16), (byte) (value >>> 8), (byte) value};
    }

    @Override
    public String toString() {
        return (value >>> 24) + "." + (value >>> 16 & 255) + "." + (value >>> 8 & 255) + "." + (value & 255);
    }
}
