// SPDX-License-Identifier: Apache-2.0
package org.sextant.core.filter;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.StringJoiner;
import org.jspecify.annotations.Nullable;
import org.sextant.core.ip.IpAddress;
import org.sextant.core.ip.IpPrefix;
import org.sextant.core.ip.Ipv4;
import org.sextant.core.ip.Ipv6;

/**
 * A set of packets: all that fulfil one constraint for each field that has one. It is never empty: an empty set has no
 * box.
 */
public final class Box {

    /** Every packet. */
    public static final Box ALL =
            new Box(new @Nullable Constraint[KeyField.all().size()]);

    private static final Ipv6 MAPPED = new Ipv6(0, 0xffff_0000_0000L);
    private static final int MAPPED_BITS = 96;

    private final @Nullable Constraint[] asked;

    private Box(@Nullable Constraint[] asked) {
        this.asked = asked;
    }

    /** Exactly these constraints; a wildcard is left out. */
    public static Box of(Map<KeyField, Constraint> constraints) {
        @Nullable Constraint[] asked = new @Nullable Constraint[ALL.asked.length];
        constraints.forEach((field, constraint) -> {
            if (constraint instanceof Constraint.Interval != field.isRange()) {
                throw new IllegalArgumentException(field.contractName() + " is not matched by " + constraint);
            }
            if (!constraint.isWildcard(field.bits())) {
                asked[field.place()] = constraint;
            }
        });
        return new Box(asked);
    }

    /** Packets that have such a value, and it is this. */
    public static Box equal(KeyField field, long value) {
        return field.isRange()
                ? within(field, (int) value, (int) value)
                : masked(field, new Ipv6(0, value), ones(field.bits()));
    }

    /** Packets that have such an address, and it is this. */
    public static Box equal(KeyField field, IpAddress address) {
        return masked(field, mapped(address), ones(field.bits()));
    }

    /** Packets that have such an address, and it is in the prefix. */
    public static Box within(KeyField field, IpPrefix prefix) {
        int length = prefix.length() + 128 - prefix.address().bits();
        return masked(field, mapped(prefix.address()), Ipv6.mask(length));
    }

    /** Packets that have such a value, and it is in the interval. */
    public static Box within(KeyField field, int first, int last) {
        if (!field.isRange()) {
            throw new IllegalArgumentException(field.contractName() + " is matched under a mask");
        }
        return present(field, new Constraint.Interval(first, last));
    }

    /** Packets that have such a value, and it is this under a mask; both are right-aligned. */
    public static Box masked(KeyField field, Ipv6 value, Ipv6 mask) {
        if (mask.isZero()) {
            return having(field.presence());
        }
        return present(field, new Constraint.Bits(value, mask));
    }

    /** Packets that have all of these, see {@link KeyField#presence}. */
    public static Box having(int presence) {
        return presence == 0
                ? ALL
                : of(Map.of(KeyField.HAS, new Constraint.Bits(new Ipv6(0, presence), new Ipv6(0, presence))));
    }

    /** Packets that have none of these, see {@link KeyField#presence}. */
    public static Box lacking(int presence) {
        return presence == 0 ? ALL : of(Map.of(KeyField.HAS, new Constraint.Bits(Ipv6.ZERO, new Ipv6(0, presence))));
    }

    private static Box present(KeyField field, Constraint constraint) {
        Box box = of(Map.of(field, constraint)).and(having(field.presence()));
        return field == KeyField.TCP_FLAGS ? box.and(equal(KeyField.IP_PROTOCOL, 6)) : box;
    }

    private static Ipv6 mapped(IpAddress address) {
        return address instanceof Ipv4 four
                ? MAPPED.or(new Ipv6(0, Integer.toUnsignedLong(four.value())))
                : (Ipv6) address;
    }

    private static Ipv6 ones(int bits) {
        return Ipv6.mask(bits).shiftRight(128 - bits);
    }

    /** The constraint on a field; empty if there is none. */
    public Optional<Constraint> asks(KeyField field) {
        return Optional.ofNullable(asked[field.place()]);
    }

    public boolean contains(Facts packet) {
        for (KeyField field : KeyField.all()) {
            Constraint constraint = asked[field.place()];
            if (constraint != null && !constraint.contains(packet.value(field))) {
                return false;
            }
        }
        return true;
    }

    /** True if every packet of the other box is in this one. */
    public boolean covers(Box other) {
        for (int i = 0; i < asked.length; i++) {
            Constraint mine = asked[i];
            Constraint its = other.asked[i];
            if (mine != null && (its == null || !mine.covers(its))) {
                return false;
            }
        }
        return true;
    }

    public boolean intersects(Box other) {
        for (int i = 0; i < asked.length; i++) {
            Constraint mine = asked[i];
            Constraint its = other.asked[i];
            if (mine != null && its != null && mine.intersect(its).isEmpty()) {
                return false;
            }
        }
        return true;
    }

    /** Packets in both; empty if there are none. */
    public Optional<Box> intersect(Box other) {
        @Nullable Constraint[] both = asked.clone();
        for (int i = 0; i < both.length; i++) {
            Constraint mine = asked[i];
            Constraint its = other.asked[i];
            if (mine == null) {
                both[i] = its;
            } else if (its != null) {
                Optional<Constraint> common = mine.intersect(its);
                if (common.isEmpty()) {
                    return Optional.empty();
                }
                both[i] = common.get();
            }
        }
        return Optional.of(new Box(both));
    }

    /**
     * Packets in both.
     *
     * @throws IllegalArgumentException if there are none
     */
    public Box and(Box other) {
        return intersect(other)
                .orElseThrow(() -> new IllegalArgumentException("no packet is both " + this + " and " + other));
    }

    /** Packets in this and not in the other one, as boxes without common packets. */
    public List<Box> subtract(Box other) {
        if (!intersects(other)) {
            return List.of(this);
        }
        List<Box> parts = new ArrayList<>();
        @Nullable Constraint[] rest = asked.clone();
        for (KeyField field : KeyField.all()) {
            int i = field.place();
            Constraint its = other.asked[i];
            if (its == null) {
                continue;
            }
            Constraint mine = asked[i];
            List<Constraint> outside =
                    mine == null ? Constraint.but(its, field.bits()) : mine.without(its, field.bits());
            for (Constraint part : outside) {
                @Nullable Constraint[] one = rest.clone();
                one[i] = part;
                parts.add(new Box(one));
            }
            rest[i] = mine == null ? its : mine.intersect(its).orElseThrow();
        }
        return parts;
    }

    /**
     * Packets in none of the others, as boxes without common packets.
     *
     * @param budget of boxes
     * @return empty if there would be more
     */
    public Optional<List<Box>> subtract(List<Box> others, int budget) {
        List<Box> rest = List.of(this);
        for (Box other : others) {
            List<Box> next = new ArrayList<>();
            for (Box part : rest) {
                next.addAll(part.subtract(other));
            }
            if (next.size() > budget) {
                return Optional.empty();
            }
            rest = next;
        }
        return Optional.of(List.copyOf(rest));
    }

    /** The constraints, in the order of the fields. */
    public Map<KeyField, Constraint> constraints() {
        Map<KeyField, Constraint> constraints = new EnumMap<>(KeyField.class);
        KeyField.all().forEach(field -> asks(field).ifPresent(one -> constraints.put(field, one)));
        return constraints;
    }

    @Override
    public boolean equals(@Nullable Object object) {
        return object instanceof Box other && Arrays.equals(asked, other.asked);
    }

    @Override
    public int hashCode() {
        return Arrays.hashCode(asked);
    }

    /** In one line: {@code src 2001:db8::/32 dst_port 53}; everything is the empty text. */
    @Override
    public String toString() {
        StringJoiner text = new StringJoiner(" ");
        constraints().forEach((field, constraint) -> text.add(field.contractName() + " " + text(field, constraint)));
        return text.toString();
    }

    private static String text(KeyField field, Constraint constraint) {
        if (!(constraint instanceof Constraint.Bits bits)) {
            return constraint.toString();
        }
        if (bits.mask().equals(ones(field.bits())) && field.bits() < 128) {
            return Long.toString(bits.value().low());
        }
        int length =
                Long.bitCount(bits.mask().high()) + Long.bitCount(bits.mask().low());
        if (field.bits() < 128 || !bits.mask().equals(Ipv6.mask(length))) {
            return bits.toString();
        }
        return prefix(bits.value(), length).toString();
    }

    private static IpPrefix prefix(Ipv6 value, int length) {
        return length >= MAPPED_BITS && value.truncate(MAPPED_BITS).equals(MAPPED)
                ? new IpPrefix(new Ipv4((int) value.low()), length - MAPPED_BITS)
                : new IpPrefix(value, length);
    }
}
