// SPDX-License-Identifier: Apache-2.0
package org.sextant.core.ip;

import java.util.ArrayList;
import java.util.List;

/**
 * 128 bits: an IPv6 address, a SID or a uSID container. Bit 0 is the most significant, as the RFCs count.
 * Compares as an unsigned number.
 */
public record Ipv6(long high, long low) implements IpAddress, Comparable<Ipv6> {

    public static final Ipv6 ZERO = new Ipv6(0, 0);

    /** @throws IllegalArgumentException if {@code text} is not an RFC 4291 text form */
    public static Ipv6 parse(String text) {
        return Ipv6Text.parse(text);
    }

    /** @throws IllegalArgumentException unless there are 16 bytes */
    public static Ipv6 of(byte[] bytes) {
        if (bytes.length != 16) {
            throw new IllegalArgumentException("an IPv6 address has 16 bytes, not " + bytes.length);
        }
        long high = 0;
        long low = 0;
        for (int i = 0; i < 8; i++) {
            high = high << 8 | bytes[i] & 255;
            low = low << 8 | bytes[i + 8] & 255;
        }
        return new Ipv6(high, low);
    }

    /** The {@code length} (1 to 64) bits that start at bit {@code from}, right-aligned. */
    public long bits(int from, int length) {
        Ipv6 aligned = shiftLeft(from);
        return aligned.high >>> 64 - length;
    }

    /** This value with the {@code length} (1 to 64) bits from bit {@code from} on replaced by the low bits of {@code value}. */
    public Ipv6 with(int from, int length, long value) {
        Ipv6 mask = mask(length).shiftRight(from);
        Ipv6 placed = new Ipv6(value << 64 - length, 0).shiftRight(from);
        return new Ipv6(high & ~mask.high | placed.high & mask.high, low & ~mask.low | placed.low & mask.low);
    }

    /** Bits move towards the most significant; zeros come in from the right. {@code count} is 0 to 128. */
    public Ipv6 shiftLeft(int count) {
        if (count == 0) {
            return this;
        }
        if (count >= 128) {
            return ZERO;
        }
        return count >= 64
                ? new Ipv6(low << count - 64, 0)
                : new Ipv6(high << count | low >>> 64 - count, low << count);
    }

    /** Bits move towards the least significant; zeros come in from the left. {@code count} is 0 to 128. */
    public Ipv6 shiftRight(int count) {
        if (count == 0) {
            return this;
        }
        if (count >= 128) {
            return ZERO;
        }
        return count >= 64
                ? new Ipv6(0, high >>> count - 64)
                : new Ipv6(high >>> count, low >>> count | high << 64 - count);
    }

    /** A value whose first {@code length} bits (0 to 128) are ones. */
    public static Ipv6 mask(int length) {
        if (length <= 0) {
            return ZERO;
        }
        return length <= 64
                ? new Ipv6(-1L << 64 - length, 0)
                : new Ipv6(-1L, length >= 128 ? -1L : -1L << 128 - length);
    }

    public Ipv6 and(Ipv6 other) {
        return new Ipv6(high & other.high, low & other.low);
    }

    public Ipv6 or(Ipv6 other) {
        return new Ipv6(high | other.high, low | other.low);
    }

    public boolean isZero() {
        return high == 0 && low == 0;
    }

    @Override
    public int bits() {
        return 128;
    }

    @Override
    public Ipv6 truncate(int length) {
        return and(mask(length));
    }

    @Override
    public byte[] toBytes() {
        byte[] bytes = new byte[16];
        for (int i = 0; i < 8; i++) {
            bytes[i] = (byte) (high >>> 56 - 8 * i);
            bytes[i + 8] = (byte) (low >>> 56 - 8 * i);
        }
        return bytes;
    }

    @Override
    public int compareTo(Ipv6 other) {
        int order = Long.compareUnsigned(high, other.high);
        return order != 0 ? order : Long.compareUnsigned(low, other.low);
    }

    /** Spreads addresses that differ in a few middle bits, as the SIDs of one block do, over all buckets of a hash table. */
    @Override
    public int hashCode() {
        long mixed = high * 0x9e3779b97f4a7c15L + Long.rotateLeft(low * 0xc2b2ae3d27d4eb4fL, 32);
        return (int) (mixed >>> 32);
    }

    /** RFC 5952. */
    @Override
    public String toString() {
        return Ipv6Text.format(this);
    }

    List<Integer> groups() {
        List<Integer> groups = new ArrayList<>(8);
        for (int i = 0; i < 8; i++) {
            groups.add((int) bits(16 * i, 16));
        }
        return groups;
    }
}
