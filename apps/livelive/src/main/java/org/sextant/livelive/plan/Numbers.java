// SPDX-License-Identifier: Apache-2.0
package org.sextant.livelive.plan;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import org.sextant.core.intent.Allocation;
import org.sextant.core.intent.AllocationRequest;
import org.sextant.core.intent.CompileContext;
import org.sextant.core.intent.NumberedIntent;
import org.sextant.core.intent.Pool;
import org.sextant.kit.Findings;
import org.sextant.kit.SidLists;

/**
 * The numbers that the engine allocated to one direction of a flow.
 *
 * <p>The engine allocates numbers in turn, which matters here. A switch keeps the state of a window: if a flow of
 * another ingress, whose sequence numbers begin lower, reused the window at once, its first packets would count as
 * late. The group is part of the flow id: a flow that is removed and posted again is a new one at every node, even if
 * entries or numbers of the former one remain.
 *
 * @param group 1 to 65535, of one direction in the whole network: its sequence numbers and copies
 * @param window 0 to 63, of one direction per egress: the state in which the egress recognizes its packets
 * @param lists path p has the segment list {@code lists + p}
 */
record Numbers(int group, int window, int lists) {
    static final Pool GROUPS = new Pool("livelive.groups", 1, 0xffff);
    static final Pool WINDOWS = new Pool("livelive.windows", 0, 63);
    private static final int LISTS = NumberedPath.MOST + 1;

    /**
     * Empty with a finding if the egress has no window left.
     *
     * @param direction 0 forward, 1 reverse
     */
    static Optional<Numbers> of(
            NumberedIntent<?> flow, int direction, FlowEnds ends, CompileContext context, Findings findings) {
        String egress = ends.egress().name();
        OptionalLong group = context.claim(flow, new AllocationRequest(GROUPS, direction));
        OptionalLong window = context.claim(flow, new AllocationRequest(WINDOWS, direction).at(egress));
        OptionalLong lists = context.claim(
                flow,
                new AllocationRequest(SidLists.IDS, direction)
                        .many(LISTS)
                        .at(ends.ingress().name()));
        if (window.isEmpty()) {
            full(
                    WINDOWS.last() + 1 + " flows end at " + egress + " already, which is all that a node remembers",
                    findings);
        } else if (group.isEmpty() || lists.isEmpty()) {
            full("all " + GROUPS.last() + " flows are in use", findings);
        }
        return group.isPresent() && window.isPresent() && lists.isPresent()
                ? Optional.of(new Numbers((int) group.getAsLong(), (int) window.getAsLong(), (int) lists.getAsLong()))
                : Optional.empty();
    }

    private static void full(String text, Findings findings) {
        findings.unfeasible("/to", text, "remove one first");
    }

    /** The engine's allocations for numbers that an earlier version stored, whose lists followed from the group. */
    static List<Allocation> granted(int direction, int group, int window) {
        List<Allocation> grants = new ArrayList<>();
        grants.add(new Allocation(GROUPS.name(), direction, group, 1));
        grants.add(new Allocation(WINDOWS.name(), direction, window, 1));
        grants.add(new Allocation(SidLists.IDS.name(), direction, 0x8000_0000L | group * (long) LISTS, LISTS));
        return grants;
    }
}
