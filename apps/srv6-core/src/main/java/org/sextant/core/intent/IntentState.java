// SPDX-License-Identifier: Apache-2.0
package org.sextant.core.intent;

/** The progress of an intent. */
public enum IntentState {
    /** Being applied, or it waits for a node; nothing of it is half-installed while it waits. */
    PENDING,
    /** Every entry is on its node, as far as this controller handles the nodes. */
    INSTALLED,
    /** A part of it is installed, but not all desired entries: an earlier plan, or a node is lost or refuses. */
    DEGRADED,
    /** It does not compile, or a node refused an entry; nothing of it is installed. */
    FAILED,
    /** Withdrawn, but a node that cannot be reached, or refuses, may still have entries of it. */
    REMOVING
}
