// SPDX-License-Identifier: Apache-2.0
package org.sextant.mobile.slice;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.sextant.core.ip.Ipv6;
import org.sextant.core.sid.Arguments;
import org.sextant.core.sid.Encapsulation;
import org.sextant.core.sid.Trace;
import org.sextant.core.table.MySid;
import org.sextant.kit.MtuCheck;

/**
 * A path of a slice, packed and traced.
 *
 * @param listed the sid_list, in travel order
 * @param behind a SID after the list that each session completes with its own arguments; empty: the list is complete
 * @param argumentsAt the bit of the last SID where arguments begin; 0: it has none
 * @param sid the SID to install at the end of the path; empty: none, the node's own serves
 * @param sample the arguments of the traced packet; empty: none
 * @param sent the segments of that packet
 */
record SlicePath(
        Direction direction,
        EndTreatment ending,
        List<Ipv6> listed,
        Optional<Ipv6> behind,
        int argumentsAt,
        Optional<MySid> sid,
        Optional<Arguments> sample,
        List<Ipv6> sent,
        Trace trace,
        MtuCheck mtu) {

    SlicePath {
        listed = List.copyOf(listed);
        sent = List.copyOf(sent);
    }

    /** Bytes in front of the encapsulated packet. */
    int bytes() {
        return Encapsulation.reducedBytes(sent.size());
    }

    /** The segments as sent, without arguments. */
    List<Ipv6> template() {
        List<Ipv6> template = new ArrayList<>(listed);
        behind.ifPresent(template::add);
        return template;
    }
}
