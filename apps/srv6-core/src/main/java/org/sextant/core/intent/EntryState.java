// SPDX-License-Identifier: Apache-2.0
package org.sextant.core.intent;

/** The state of a desired entry on its node, or of one to be removed. */
public enum EntryState {
    PENDING,
    INSTALLED,
    FAILED,
    /** Given up, and not known to be gone. */
    REMOVING
}
