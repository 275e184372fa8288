// SPDX-License-Identifier: Apache-2.0
package org.sextant.onos.table;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.onosproject.net.pi.runtime.PiAction;
import org.onosproject.net.pi.runtime.PiActionSet;
import org.onosproject.net.pi.runtime.PiMatchKey;
import org.onosproject.net.pi.runtime.PiTableAction;
import org.onosproject.net.pi.runtime.PiTableEntry;
import org.sextant.core.table.MalformedEntryException;
import org.sextant.core.table.TableEntry;
import org.sextant.core.table.TableEntry.Call;
import org.sextant.core.table.TableEntry.Weighted;

/** Rows of the contract as the table entries that ONOS's P4Runtime client sends and receives, for one pipeline. */
public final class PiEntries {
    private final PipelineNames names;

    public PiEntries(PipelineNames names) {
        this.names = names;
    }

    /** @throws MalformedEntryException if the pipeline lacks the table or an action */
    public PiTableEntry encode(TableEntry row) {
        PiMatchKey.Builder key = PiMatchKey.builder();
        row.matches().forEach(match -> key.addFieldMatch(PiParts.match(row.table(), match)));
        PiTableEntry.Builder entry = PiTableEntry.builder()
                .forTable(names.table(row.table()).orElseThrow(() -> missing(row, "table")))
                .withMatchKey(row.matches().isEmpty() ? PiMatchKey.EMPTY : key.build())
                .withAction(action(row));
        if (row.priority() > 0) {
            entry.withPriority(row.priority());
        }
        return entry.build();
    }

    private PiTableAction action(TableEntry row) {
        if (row.action() instanceof TableEntry.Action.Direct direct) {
            return action(row, direct.call());
        }
        PiActionSet.Builder set = PiActionSet.builder();
        ((TableEntry.Action.OneShot) row.action())
                .members()
                .forEach(member -> set.addWeightedAction(action(row, member.call()), member.weight()));
        return set.build();
    }

    private PiAction action(TableEntry row, Call call) {
        return PiParts.action(
                names.action(row.table(), call.action()).orElseThrow(() -> missing(row, "action " + call.action())),
                call);
    }

    private static MalformedEntryException missing(TableEntry row, String what) {
        return new MalformedEntryException(row.table(), "the node's pipeline has no such " + what);
    }

    /**
     * Empty for entries that are not the contract's, such as a default entry without an action. Members of sets come
     * sorted.
     */
    public static Optional<TableEntry> decode(PiTableEntry entry) {
        return PipelineNames.table(entry.table())
                .flatMap(table -> action(entry.action())
                        .map(action -> new TableEntry(
                                table,
                                PiParts.matches(table, entry.matchKey().fieldMatches()),
                                action,
                                entry.isDefaultAction(),
                                entry.priority().orElse(0))));
    }

    private static Optional<TableEntry.Action> action(PiTableAction action) {
        if (action instanceof PiAction one) {
            return PiParts.call(one).map(TableEntry.Action.Direct::new);
        }
        if (!(action instanceof PiActionSet set)) {
            return Optional.empty();
        }
        List<Weighted> members = new ArrayList<>();
        set.actions()
                .forEach(member -> PiParts.call(member.action())
                        .ifPresent(call -> members.add(new Weighted(member.weight(), call))));
        members.sort(FlowRules.MEMBER_ORDER);
        return members.size() == set.actions().size() && !members.isEmpty()
                ? Optional.of(new TableEntry.Action.OneShot(members))
                : Optional.empty();
    }
}
