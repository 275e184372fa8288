// SPDX-License-Identifier: Apache-2.0
package org.sextant.core.intent;

import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.sextant.core.Problem;
import org.sextant.core.passage.Passage;
import org.sextant.core.table.Entry;

/**
 * A compiled intent.
 *
 * @param entries the entries to install, per node; empty if there are problems
 * @param explained the effect of the plan on packets, byte by byte, for operators and for {@code ?dryRun}
 * @param problems why the intent cannot be installed; empty if it can
 * @param warnings conditions that do not prevent the installation, such as a link whose MTU is too small
 * @param dependsOn the nodes and links whose loss would change the plan
 * @param passages which users' packets it steers where; together with those of all other intents they must not loop
 * @param offer a value: all that intents which refer to this one need of it, and are compiled again for if it changes;
 *     null: the intent with its numbers
 */
public record Plan(
        List<Placed> entries,
        Explained explained,
        List<Problem> problems,
        List<String> warnings,
        Dependence dependsOn,
        List<Passage> passages,
        @Nullable Object offer) {

    public Plan {
        entries = List.copyOf(entries);
        problems = List.copyOf(problems);
        warnings = List.copyOf(warnings);
        passages = List.copyOf(passages);
        if (!problems.isEmpty() && !(entries.isEmpty() && passages.isEmpty())) {
            throw new IllegalArgumentException("a plan with problems installs nothing");
        }
    }

    /** True if both are feasible, and install and carry the same. */
    public boolean hasEffectOf(Plan other) {
        return feasible() && other.feasible() && entries.equals(other.entries) && passages.equals(other.passages);
    }

    /** A plan that has nothing of its own to offer. */
    public Plan(
            List<Placed> entries,
            Explained explained,
            List<Problem> problems,
            List<String> warnings,
            Dependence dependsOn,
            List<Passage> passages) {
        this(entries, explained, problems, warnings, dependsOn, passages, null);
    }

    /** A plan without passages: it steers no user traffic. */
    public Plan(
            List<Placed> entries,
            Explained explained,
            List<Problem> problems,
            List<String> warnings,
            Dependence dependsOn) {
        this(entries, explained, problems, warnings, dependsOn, List.of());
    }

    /** The same plan with an export for the intents that refer to its intent. */
    public Plan offering(Object value) {
        return new Plan(entries, explained, problems, warnings, dependsOn, passages, value);
    }

    /** The same plan with another dependence on the network. */
    public Plan dependingOn(Dependence other) {
        return new Plan(entries, explained, problems, warnings, other, passages, offer);
    }

    /** The explanation as JSON. */
    public ObjectNode explanation() {
        return explained.json();
    }

    /** An entry and the node it goes to. */
    public record Placed(String node, Entry entry) {}

    public boolean feasible() {
        return problems.isEmpty();
    }

    /** The same plan as one that must not be installed. */
    public Plan refused(List<Problem> why) {
        return new Plan(List.of(), explained, why, warnings, dependsOn);
    }

    /** A plan that installs nothing. */
    public static Plan rejected(List<Problem> problems) {
        return new Plan(List.of(), Explained.NOTHING, problems, List.of(), Dependence.NOTHING);
    }
}
