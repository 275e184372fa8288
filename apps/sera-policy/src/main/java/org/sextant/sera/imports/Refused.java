// SPDX-License-Identifier: Apache-2.0
package org.sextant.sera.imports;

/** A line that has no counterpart here; the message says why. */
final class Refused extends Exception {
    private static final long serialVersionUID = 1L;

    Refused(String why) {
        super(why);
    }

    String why() {
        return String.valueOf(getMessage());
    }
}
