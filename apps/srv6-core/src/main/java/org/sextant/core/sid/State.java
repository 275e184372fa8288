// SPDX-License-Identifier: Apache-2.0
package org.sextant.core.sid;

/**
 * A packet at a node, while it is walked.
 *
 * @param counted this node has lowered the hop limit already
 */
record State(String node, Header header, boolean counted) {
    // Both are compared for every hop of every policy, so the parts that differ most come first.

    boolean sameButForHopLimit(State other) {
        return header.destination().equals(other.header.destination())
                && node.equals(other.node)
                && header.srh().equals(other.header.srh())
                && header.inner().equals(other.header.inner());
    }

    @Override
    public boolean equals(Object object) {
        return object instanceof State other
                && counted == other.counted
                && header.hopLimit() == other.header.hopLimit()
                && sameButForHopLimit(other);
    }

    @Override
    public int hashCode() {
        return 31 * (31 * node.hashCode() + header.destination().hashCode()) + header.hopLimit();
    }
}
