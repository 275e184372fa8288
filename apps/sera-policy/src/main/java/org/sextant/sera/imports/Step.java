// SPDX-License-Identifier: Apache-2.0
package org.sextant.sera.imports;

import java.util.List;
import java.util.Optional;
import org.sextant.sera.Rule;

/**
 * A line of a chain.
 *
 * @param matches what it takes: packets that one of these takes; their verbs mean nothing
 * @param log whether it also logs
 * @param name that it suggests
 * @param refusal why it has no counterpart; then the rest means nothing
 * @param warnings what is other here
 */
record Step(
        int line,
        String text,
        List<Rule> matches,
        Target target,
        boolean log,
        Optional<String> name,
        Optional<String> refusal,
        List<String> warnings) {

    static Step refused(int line, String text, String why) {
        return new Step(
                line, text, List.of(), new Target.Count(), false, Optional.empty(), Optional.of(why), List.of());
    }

    Step logging() {
        return new Step(line, text, matches, target, true, name, refusal, warnings);
    }
}
