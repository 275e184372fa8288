// SPDX-License-Identifier: Apache-2.0
package org.sextant.core.intent;

/** Whether a wanted entry is on its node, or one that is not wanted any more still is. */
public enum EntryState {
    PENDING,
    INSTALLED,
    FAILED,
    /** Given up, and not known to be gone. */
    REMOVING
}
