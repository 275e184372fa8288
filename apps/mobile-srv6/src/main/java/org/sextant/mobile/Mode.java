// SPDX-License-Identifier: Apache-2.0
package org.sextant.mobile;

import java.util.Locale;

/** The encapsulation of a slice's sessions (mobile paper, section III). */
public enum Mode {
    /** SRv6 replaces GTP; one SID, which is 1:1 with the TEID. */
    TRADITIONAL,
    /** SRv6 replaces GTP; further SIDs are functions along the path. */
    ENHANCED,
    /** GTP-U packets are encapsulated whole. */
    TRANSPORT;

    /** The spelling in JSON and CLI. */
    public String spelling() {
        return name().toLowerCase(Locale.ROOT);
    }
}
