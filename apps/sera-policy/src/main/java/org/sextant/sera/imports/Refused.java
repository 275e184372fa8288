// SPDX-License-Identifier: Apache-2.0
package org.sextant.sera.imports;

/** A line without a counterpart here; the message has the reason. */
final class Refused extends Exception {
    private static final long serialVersionUID = 1L;

    Refused(String why) {
        super(why);
    }

    String why() {
        return String.valueOf(getMessage());
    }
}
