// SPDX-License-Identifier: Apache-2.0
package org.sextant.core.intent;

import java.util.List;

/**
 * The result of a submission that is not carried out.
 *
 * @param intent with the id and the number that it has or would get if it were submitted now
 * @param plan the entries that would be installed, or the reasons for the rejection
 * @param silent the nodes that it would be installed on, or its packets be on, and that do not answer now, by name
 */
public record DryRun<I>(NumberedIntent<I> intent, Plan plan, List<NodeStatus> silent) {
    public DryRun {
        silent = List.copyOf(silent);
    }

    public DryRun(NumberedIntent<I> intent, Plan plan) {
        this(intent, plan, List.of());
    }

    /** The same result with those of these nodes that concern it. */
    public DryRun<I> among(List<NodeStatus> lost) {
        return new DryRun<>(
                intent,
                plan,
                lost.stream().filter(node -> concerns(plan, node.node())).toList());
    }

    private static boolean concerns(Plan plan, String node) {
        return plan.entries().stream().anyMatch(placed -> placed.node().equals(node))
                || plan.dependsOn().names().contains(node);
    }

    /** Warnings before the submission, besides the plan's own ones. */
    public List<String> warnings() {
        return silent.stream().map(this::warning).toList();
    }

    private String warning(NodeStatus node) {
        long entries = plan.entries().stream()
                .filter(placed -> placed.node().equals(node.node()))
                .count();
        String what = entries == 0
                ? "it is on the way, and whether it forwards is not observed"
                : (entries == 1 ? "1 entry" : entries + " entries") + " would wait for it";
        return node.silence() + ": " + what;
    }
}
