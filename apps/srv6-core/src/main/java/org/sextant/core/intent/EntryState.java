// SPDX-License-Identifier: Apache-2.0
package org.sextant.core.intent;

/** Whether a wanted entry is on its node. */
public enum EntryState {
    PENDING,
    INSTALLED,
    FAILED
}
