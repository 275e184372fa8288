// SPDX-License-Identifier: Apache-2.0
package org.sextant.core.sid;

import org.sextant.core.filter.Facts;
import org.sextant.core.filter.KeyField;
import org.sextant.core.filter.Verdict;
import org.sextant.core.table.Behavior.Family;
import org.sextant.core.table.Sera;

/** The fields of a packet's outer header that the rules of a firewall match. */
public final class Seen {
    private static final int IPV6_INSIDE = 41;
    private static final int IPV4_INSIDE = 4;

    private Seen() {}

    /** The packet, and of its outer header the SIDs around that of the firewall, and the arguments of that. */
    public static Facts sids(Facts packet, Sera sera, Header header) {
        Facts all = packet.with(KeyField.ARGS, Program.arguments(sera, header.destination()))
                .with(
                        KeyField.LAST_SID,
                        header.srh().map(srh -> srh.segments().get(0)).orElse(header.destination()));
        return Program.after(Verdict.GO_NEXT, sera, header)
                .map(next -> all.with(KeyField.NEXT_SID, next.destination()))
                .orElse(all);
    }

    /**
     * The same for a header that has a list as headends push it: without flags, tag and TLVs, unless the packet has
     * them.
     */
    public static Facts pushed(Facts packet, Sera sera, Header header) {
        Facts all = sids(packet, sera, header);
        return header.srh()
                .map(list -> list(all, list, header.inner().family()))
                .orElse(all);
    }

    private static Facts list(Facts packet, Header.Srh list, Family inside) {
        Facts all = packet.with(KeyField.SRH_NEXT_HDR, inside == Family.IPV6 ? IPV6_INSIDE : IPV4_INSIDE)
                .with(KeyField.SRH_HDR_LEN, 2L * list.segments().size())
                .with(KeyField.SEGMENTS_LEFT, list.segmentsLeft())
                .with(KeyField.LAST_ENTRY, list.lastEntry());
        return list.segmentsLeft() < list.lastEntry()
                ? all.with(KeyField.PREVIOUS_SID, list.segments().get(list.segmentsLeft() + 1))
                : all;
    }
}
