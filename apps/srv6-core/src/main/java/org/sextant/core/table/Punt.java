// SPDX-License-Identifier: Apache-2.0
package org.sextant.core.table;

import java.util.Objects;
import java.util.Optional;
import org.sextant.contract.Tables;

/** Frames that match go to the controller, or nowhere if {@code discard}. An empty field matches everything. */
public record Punt(
        int priority,
        Optional<Ternary> inPort,
        Optional<Ternary> etherType,
        Optional<Ternary> ipProtocol,
        Optional<Ternary> icmpv6Type,
        boolean discard)
        implements Entry {
    public static final String TABLE = Tables.PUNT.name();

    private static final int IPV6 = 0x86dd;
    private static final int ICMPV6 = 58;

    public Punt {
        if (priority < 1) {
            throw new IllegalArgumentException("a ternary entry has a priority of 1 or more");
        }
        Objects.requireNonNull(inPort);
    }

    /** All frames of one EtherType go to the controller. */
    public static Punt etherType(int priority, int etherType) {
        return new Punt(priority, Optional.empty(), Optional.of(new Ternary(etherType, 0xffff)), Optional.empty(), Optional.empty(), false);
    }

    /** All ICMPv6 messages of one type go to the controller, whatever extension headers they are behind. */
    public static Punt icmpv6(int priority, int type) {
        return new Punt(
                priority, Optional.empty(), Optional.of(new Ternary(IPV6, 0xffff)), Optional.of(new Ternary(ICMPV6, 0xff)),
                Optional.of(new Ternary(type, 0xff)), false);
    }

    /** A value under a mask; bits outside of the mask are zero. */
    public record Ternary(int value, int mask) {
        public Ternary {
            if ((value & ~mask) != 0) {
                throw new IllegalArgumentException("value bits outside of the mask");
            }
        }

        @Override
        public String toString() {
            return Integer.toHexString(value) + "&" + Integer.toHexString(mask);
        }
    }

    @Override
    public Key key() {
        return new Key(TABLE, "priority " + priority + text("in_port", inPort) + text("ether_type", etherType)
                + text("ip_protocol", ipProtocol) + text("icmpv6_type", icmpv6Type));
    }

    private static String text(String field, Optional<Ternary> value) {
        return value.map(v -> " " + field + " " + v).orElse("");
    }

    @Override
    public Stage stage() {
        return Stage.ADJACENCY;
    }
}
