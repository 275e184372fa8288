// SPDX-License-Identifier: Apache-2.0
package org.sextant.sera.imports;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.sextant.sera.Verb;

/** A chain of the text; a base chain with its policy and its hook. */
final class Chain {
    private Optional<Verb> policy = Optional.empty();
    private Optional<Hook> hook = Optional.empty();
    private Optional<Step> policyStep = Optional.empty();
    private final List<Step> steps = new ArrayList<>();

    void policy(Verb verb) {
        policy = Optional.of(verb);
    }

    Optional<Verb> policy() {
        return policy;
    }

    /** Sets the policy, with its line for remarks about it. */
    void policy(Verb verb, int line, String text) {
        policy(verb);
        policyStep = Optional.of(Step.refused(line, text, ""));
    }

    Optional<Step> policyStep() {
        return policyStep;
    }

    void hook(Hook where) {
        hook = Optional.of(where);
    }

    Optional<Hook> hook() {
        return hook;
    }

    void add(Step step) {
        steps.add(step);
    }

    /** The lines; one that only logs the packets of the next, deciding one is merged with that. */
    List<Step> steps() {
        List<Step> merged = new ArrayList<>();
        for (int i = 0; i < steps.size(); i++) {
            Step step = steps.get(i);
            boolean merges = step.logsOnly()
                    && i + 1 < steps.size()
                    && steps.get(i + 1).decides()
                    && steps.get(i + 1).matches().equals(step.matches());
            if (merges) {
                steps.set(i + 1, steps.get(i + 1).logging());
            } else {
                merged.add(step);
            }
        }
        return merged;
    }
}
