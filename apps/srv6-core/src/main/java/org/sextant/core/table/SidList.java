// SPDX-License-Identifier: Apache-2.0
package org.sextant.core.table;

import java.math.BigInteger;
import java.util.List;
import java.util.OptionalInt;
import java.util.stream.Collectors;
import org.sextant.contract.Action;
import org.sextant.contract.Actions;
import org.sextant.contract.Tables;
import org.sextant.core.ip.Ipv6;
import org.sextant.core.table.EntryTypes.EntryType;
import org.sextant.core.table.TableEntry.Call;
import org.sextant.core.table.TableEntry.Weighted;

/** A weighted set of segment lists under an id that is unique within the node. */
public record SidList(int id, List<Member> members) implements Entry {
    public static final String TABLE = Tables.SID_LIST.name();

    static final EntryType TYPE = new EntryType(List.of(Tables.SID_LIST), SidList::read, Matched.Id::parse);

    public SidList {
        members = List.copyOf(members);
        if (members.isEmpty()) {
            throw new IllegalArgumentException("sid_list " + id + " has no member");
        }
    }

    /** One segment list: containers or SIDs in travel order. */
    public record Member(int weight, List<Ipv6> segments) implements WeightedSet.Member {
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

        private Call call() {
            Action action = Actions.byName(action())
                    .orElseThrow(() -> new MalformedEntryException(
                            TABLE, "there is no action for a list of " + segments.size() + " segments"));
            return Call.of(action, segments.stream().map(Values::number).toArray(BigInteger[]::new));
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

    @Override
    public OptionalInt listId() {
        return OptionalInt.of(id);
    }

    @Override
    public TableEntry row() {
        return RowBuilder.in(Tables.SID_LIST)
                .exact(id)
                .chooses(members.stream()
                        .map(member -> new Weighted(member.weight(), member.call()))
                        .toList());
    }

    private static SidList read(RowReader row) {
        return new SidList(
                row.exact(),
                row.members().stream()
                        .map(member -> new Member(member.weight(), new CallReader(member.call()).addresses()))
                        .toList());
    }

    @Override
    public boolean means(Entry other) {
        return other instanceof SidList list && id == list.id && WeightedSet.same(members, list.members);
    }

    @Override
    public String actionText() {
        return WeightedSet.text(
                members,
                member -> member.segments().stream().map(Ipv6::toString).collect(Collectors.joining(", ")));
    }
}
