// SPDX-License-Identifier: Apache-2.0
package org.sextant.usid.plan;

import java.util.List;
import org.sextant.core.net.Node;
import org.sextant.usid.Candidate;
import org.sextant.usid.Policy.Candidates;
import org.sextant.usid.Policy.WeightedHops;

/**
 * The exports of a policy with a color to composite policies (RFC 9256, 2.2).
 *
 * @param composes true if any of its candidate paths is composite: then it cannot be a constituent
 * @param lists those of its active path
 */
record Member(String headend, String endpoint, boolean composes, List<WeightedHops> lists) {
    Member {
        lists = List.copyOf(lists);
    }

    static Member of(Node headend, Node endpoint, Candidates form, List<WeightedHops> lists) {
        boolean composes = form.paths().stream().anyMatch(path -> path.choice() instanceof Candidate.Composite);
        return new Member(headend.name(), endpoint.name(), composes, lists);
    }

    /** The name by which composite policies depend on a color. */
    static String name(long color) {
        return "policies of color " + color;
    }
}
