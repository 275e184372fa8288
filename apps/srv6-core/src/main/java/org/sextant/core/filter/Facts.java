// SPDX-License-Identifier: Apache-2.0
package org.sextant.core.filter;

import java.util.EnumMap;
import java.util.Map;
import java.util.Optional;
import org.sextant.core.ip.IpAddress;
import org.sextant.core.ip.Ipv4;
import org.sextant.core.ip.Ipv6;

/**
 * One packet as a firewall sees it: the values of its fields. An absent field has no value, not even 0: its bit of
 * {@link KeyField#HAS} is 0.
 */
public final class Facts {
    public static final Facts NONE = new Facts(Map.of(KeyField.HAS, Ipv6.ZERO));

    private final Map<KeyField, Ipv6> values;

    private Facts(Map<KeyField, Ipv6> values) {
        this.values = values;
    }

    /** The same packet with this value, which it has then. */
    public Facts with(KeyField field, Ipv6 value) {
        if (field == KeyField.HAS) {
            throw new IllegalArgumentException("what a packet has follows from its values");
        }
        if (!value.shiftRight(field.bits()).isZero()) {
            throw new IllegalArgumentException(value + " does not fit into " + field.contractName());
        }
        Map<KeyField, Ipv6> more = new EnumMap<>(values);
        more.put(field, value);
        more.put(KeyField.HAS, value(KeyField.HAS).or(new Ipv6(0, field.presence())));
        return new Facts(more);
    }

    public Facts with(KeyField field, long value) {
        return with(field, new Ipv6(0, value));
    }

    public Facts with(KeyField field, IpAddress address) {
        return with(
                field,
                address instanceof Ipv4 four
                        ? new Ipv6(0, 0xffff_0000_0000L | Integer.toUnsignedLong(four.value()))
                        : (Ipv6) address);
    }

    /** The packet's value of a field; empty if the packet lacks the field. */
    public Optional<Ipv6> given(KeyField field) {
        return Optional.ofNullable(values.get(field));
    }

    /** The value in a node's key: 0 for an absent field. */
    Ipv6 value(KeyField field) {
        return values.getOrDefault(field, Ipv6.ZERO);
    }

    @Override
    public boolean equals(Object object) {
        return object instanceof Facts other && values.equals(other.values);
    }

    @Override
    public int hashCode() {
        return values.hashCode();
    }

    @Override
    public String toString() {
        return values.toString();
    }
}
