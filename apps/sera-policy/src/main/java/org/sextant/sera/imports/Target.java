// SPDX-License-Identifier: Apache-2.0
package org.sextant.sera.imports;

import org.sextant.sera.Verb;

/** What a line has done with the packets that it takes. */
sealed interface Target {

    /** It is decided. */
    record Decide(Verb verb) implements Target {}

    /** Another chain looks at them; {@code back}: and those it does not decide about come back. */
    record Jump(String chain, boolean back) implements Target {}

    /** On behind what led to this chain. */
    record Return() implements Target {}

    /** They are logged, and go on. */
    record Log() implements Target {}

    /** They are counted, and go on. */
    record Count() implements Target {}
}
