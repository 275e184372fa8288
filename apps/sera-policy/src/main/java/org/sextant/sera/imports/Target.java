// SPDX-License-Identifier: Apache-2.0
package org.sextant.sera.imports;

import org.sextant.sera.Verb;

/** The target of a line: the treatment of the packets that it matches. */
sealed interface Target {

    /** Decides. */
    record Decide(Verb verb) implements Target {}

    /** Continues in another chain; {@code back}: undecided packets return. */
    record Jump(String chain, boolean back) implements Target {}

    /** Continues behind the jump to this chain. */
    record Return() implements Target {}

    /** Logs, and continues. */
    record Log() implements Target {}

    /** Counts, and continues. */
    record Count() implements Target {}
}
