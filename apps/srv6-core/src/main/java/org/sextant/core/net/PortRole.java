// SPDX-License-Identifier: Apache-2.0
package org.sextant.core.net;

import java.util.Locale;

/** The neighbor of a port (RFC 8754, 5.1): a node of the SR domain, or one outside of it. */
public enum PortRole {
    EXTERNAL,
    INTERNAL;

    /** The name in topology files, REST and commands. */
    public String text() {
        return name().toLowerCase(Locale.ROOT);
    }
}
