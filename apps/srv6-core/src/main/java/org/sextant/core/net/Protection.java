// SPDX-License-Identifier: Apache-2.0
package org.sextant.core.net;

/**
 * The failures that a node precomputes backup paths for (docs/reference/protection.md).
 *
 * @param link the link that a packet would take next
 * @param node and the node behind it
 * @param srlg and every link that shares a risk with it
 */
public record Protection(boolean link, boolean node, boolean srlg) {
    public static final Protection NONE = new Protection(false, false, false);

    public Protection {
        if ((node || srlg) && !link) {
            throw new IllegalArgumentException("what protects from a node or a shared risk protects from a link, too");
        }
    }
}
