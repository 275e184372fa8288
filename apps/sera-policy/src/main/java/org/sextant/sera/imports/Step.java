// SPDX-License-Identifier: Apache-2.0
package org.sextant.sera.imports;

import java.util.List;
import java.util.Optional;
import org.sextant.sera.Rule;

/**
 * A line of a chain.
 *
 * @param branches matches with their targets, the first match first; no branch: the line matches no packet
 * @param log true if the line also logs
 * @param name that the line suggests for its rules
 * @param refusal the reason why the line has no counterpart; then the other fields have no meaning
 * @param warnings differences between the line and its counterpart
 */
record Step(
        int line,
        String text,
        List<Branch> branches,
        boolean log,
        Optional<String> name,
        Optional<String> refusal,
        List<String> warnings) {

    /**
     * Packets and their target.
     *
     * @param match its verb has no meaning
     */
    record Branch(Rule match, Target target) {}

    Step {
        branches = List.copyOf(branches);
        warnings = List.copyOf(warnings);
    }

    static Step refused(int line, String text, String why) {
        return new Step(line, text, List.of(), false, Optional.empty(), Optional.of(why), List.of());
    }

    Step logging() {
        return new Step(line, text, branches, true, name, refusal, warnings);
    }

    List<Target> targets() {
        return branches.stream().map(Branch::target).distinct().toList();
    }

    List<Rule> matches() {
        return branches.stream().map(Branch::match).toList();
    }

    /** True if the line only logs. */
    boolean logsOnly() {
        return refusal.isEmpty() && targets().equals(List.of(new Target.Log()));
    }

    /** True if the line decides about all packets that it matches. */
    boolean decides() {
        return refusal.isEmpty() && targets().stream().allMatch(Target.Decide.class::isInstance);
    }
}
