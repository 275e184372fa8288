// SPDX-License-Identifier: Apache-2.0
package org.sextant.northbound.events;

import java.util.Locale;

/** How much an event of the log matters, the least first. */
public enum Severity {
    /** As it should be, or well again. */
    INFO,
    /** Not as it was wanted, and traffic goes on as far as is known. */
    WARNING,
    /** An operator should look. */
    ERROR;

    /** As REST and shell spell it. */
    public String word() {
        return name().toLowerCase(Locale.ROOT);
    }
}
