// SPDX-License-Identifier: Apache-2.0
package org.sextant.core.table;

import java.util.List;
import org.sextant.contract.Tables;
import org.sextant.core.ip.Ipv6;

/** A weighted set of segment lists under an id that is unique within the node. */
public record SidList(int id, List<Member> members) implements Entry {
    public static final String TABLE = Tables.SID_LIST.name();

    public SidList {
        members = List.copyOf(members);
        if (members.isEmpty()) {
            throw new IllegalArgumentException("sid_list " + id + " has no member");
        }
    }

    /** One segment list: containers or SIDs in travel order. */
    public record Member(int weight, List<Ipv6> segments) {
        public Member {
            segments = List.copyOf(segments);
            if (weight < 1 || segments.isEmpty()) {
                throw new IllegalArgumentException("a segment list has a weight of 1 or more and at least one segment");
            }
        }

        /** The contract has one action per list length. */
        public String action() {
            return "segments_" + segments.size();
        }
    }

    @Override
    public Key key() {
        return new Key(TABLE, new Matched.Id(id));
    }

    @Override
    public Stage stage() {
        return Stage.LISTS;
    }
}
