// SPDX-License-Identifier: Apache-2.0
package org.sextant.mobile;

import java.util.Locale;

/** How a slice carries its sessions (mobile paper, section III). */
public enum Mode {
    /** GTP goes; one SID, which is 1:1 with the TEID. */
    TRADITIONAL,
    /** GTP goes; further SIDs are functions on the way. */
    ENHANCED,
    /** GTP stays and is carried whole. */
    TRANSPORT;

    /** As JSON and CLI write it. */
    public String spelling() {
        return name().toLowerCase(Locale.ROOT);
    }
}
