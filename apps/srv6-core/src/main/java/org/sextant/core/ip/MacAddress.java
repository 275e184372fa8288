// SPDX-License-Identifier: Apache-2.0
package org.sextant.core.ip;

/** A 48-bit Ethernet address, in the low bits of {@code value}. */
public record MacAddress(long value) {

    public MacAddress {
        if (value >>> 48 != 0) {
            throw new IllegalArgumentException("a MAC address has 48 bits");
        }
    }

    /** Parses six colon-separated hexadecimal bytes. */
    public static MacAddress parse(String text) {
        if (!text.matches("([0-9a-fA-F]{2}:){5}[0-9a-fA-F]{2}")) {
            throw new IllegalArgumentException("not a MAC address: " + Ipv6Text.shorten(text));
        }
        return new MacAddress(Long.parseLong(text.replace(":", ""), 16));
    }

    @Override
    public String toString() {
        StringBuilder text = new StringBuilder(17);
        for (int shift = 40; shift >= 0; shift -= 8) {
            text.append(String.format("%02x", value >>> shift & 255));
            if (shift > 0) {
                text.append(':');
            }
        }
        return text.toString();
    }
}
