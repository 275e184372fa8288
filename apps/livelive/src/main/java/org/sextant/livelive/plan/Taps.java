// SPDX-License-Identifier: Apache-2.0
package org.sextant.livelive.plan;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.SortedSet;
import java.util.TreeSet;
import org.sextant.core.intent.Plan;
import org.sextant.core.intent.Plan.Placed;
import org.sextant.core.table.Copy;
import org.sextant.core.table.DedupFlow;
import org.sextant.core.table.Flow;

/**
 * The places where the packets of one direction of a flow are counted.
 *
 * @param flowId unsigned
 * @param paths their numbers
 * @param delayMicros of the slowest path, as far as the delays of its links are known
 */
public record Taps(
        String ingress, String egress, int flowId, int group, int window, SortedSet<Integer> paths, long delayMicros) {

    /** The directions of a plan, the forward one first; empty for a plan without entries. */
    public static List<Taps> of(Plan plan) {
        Map<Integer, Placed> ends = new LinkedHashMap<>();
        plan.entries().stream()
                .filter(placed -> placed.entry() instanceof DedupFlow)
                .forEach(placed -> ends.put(((DedupFlow) placed.entry()).flowId(), placed));
        List<Taps> taps = new ArrayList<>();
        ends.forEach((flowId, end) -> plan.entries().stream()
                .filter(placed -> placed.entry() instanceof Flow flow && flow.flowId() == flowId)
                .findFirst()
                .ifPresent(begin -> taps.add(of(plan, begin, end))));
        return taps;
    }

    private static Taps of(Plan plan, Placed begin, Placed end) {
        Flow flow = (Flow) begin.entry();
        SortedSet<Integer> paths = new TreeSet<>();
        for (Placed placed : plan.entries()) {
            if (placed.entry() instanceof Copy copy && copy.group() == flow.group()) {
                paths.add(copy.path());
            }
        }
        return new Taps(
                begin.node(),
                end.node(),
                flow.flowId(),
                flow.group(),
                ((DedupFlow) end.entry()).window(),
                paths,
                delay(plan, flow.flowId()));
    }

    private static long delay(Plan plan, int flowId) {
        long longest = 0;
        for (JsonNode direction : plan.explanation().path("directions")) {
            if (direction.path("flowId").longValue() == Integer.toUnsignedLong(flowId)) {
                for (JsonNode path : direction.path("paths")) {
                    longest = Math.max(longest, path.path("delayMicros").longValue());
                }
            }
        }
        return longest;
    }
}
