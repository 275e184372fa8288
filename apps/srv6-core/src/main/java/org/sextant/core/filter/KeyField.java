// SPDX-License-Identifier: Apache-2.0
package org.sextant.core.filter;

import java.util.List;
import java.util.Locale;
import org.sextant.contract.Field;
import org.sextant.contract.Tables;

/** The match fields of a firewall's rules: the fields of table {@code firewall} but for the number of the rule set. */
public enum KeyField {
    /** The IP version of the packet inside: 4 or 6. */
    IP_VERSION,
    /** Inside; IPv4 is ::ffff:0:0/96. */
    SRC,
    DST,
    /** Behind the extension headers of the packet inside. */
    IP_PROTOCOL,
    /** The optional fields that a packet has, see {@link #presence}. */
    HAS,
    SRC_PORT,
    DST_PORT,
    TCP_FLAGS,
    ICMP_TYPE,
    ICMP_CODE,
    SRH_NEXT_HDR,
    SRH_HDR_LEN,
    SEGMENTS_LEFT,
    LAST_ENTRY,
    SRH_FLAGS,
    SRH_TAG,
    /** {@code list[SL + 1]}. */
    PREVIOUS_SID,
    /** The destination that going to the next segment gives. */
    NEXT_SID,
    /** {@code list[0]}, or the destination of a packet without a list. */
    LAST_SID,
    OUTER_SRC,
    /** The arguments of the firewall's SID. */
    ARGS,
    /** The node tracks the flow; not on every target. */
    ESTABLISHED;

    public static final int HAS_PORTS = 1;
    public static final int HAS_ICMP = 2;
    public static final int HAS_SRH = 4;
    public static final int HAS_PREVIOUS_SID = 8;
    public static final int HAS_NEXT_SID = 16;

    private static final List<KeyField> ALL = List.of(values());

    private final String contractName = name().toLowerCase(Locale.ROOT);
    private final int place;
    private final int bits;
    private final boolean range;

    KeyField() {
        Field field = Tables.FIREWALL.fields().stream()
                .filter(one -> one.name().equals(contractName))
                .findFirst()
                .orElseThrow();
        place = Tables.FIREWALL.fields().indexOf(field) - 1;
        bits = field.bits();
        range = field.kind() == Field.Kind.RANGE;
    }

    /** All fields, in the order of the table. */
    public static List<KeyField> all() {
        return ALL;
    }

    /** The name in P4Info. */
    public String contractName() {
        return contractName;
    }

    /** The index among all fields, from 0 on, behind the number of the rule set. */
    int place() {
        return place;
    }

    public int bits() {
        return bits;
    }

    /** True if rows match an interval of it; else they match a value under a mask. */
    public boolean isRange() {
        return range;
    }

    /** The bit of {@link #HAS} that a packet with such a value has; 0 if all have one. */
    public int presence() {
        return switch (this) {
            case SRC_PORT, DST_PORT, TCP_FLAGS -> HAS_PORTS;
            case ICMP_TYPE, ICMP_CODE -> HAS_ICMP;
            case SRH_NEXT_HDR, SRH_HDR_LEN, SEGMENTS_LEFT, LAST_ENTRY, SRH_FLAGS, SRH_TAG -> HAS_SRH;
            case PREVIOUS_SID -> HAS_PREVIOUS_SID;
            case NEXT_SID -> HAS_NEXT_SID;
            default -> 0;
        };
    }
}
