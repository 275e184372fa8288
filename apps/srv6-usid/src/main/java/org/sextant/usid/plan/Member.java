// SPDX-License-Identifier: Apache-2.0
package org.sextant.usid.plan;

import java.util.List;
import org.sextant.core.net.Node;
import org.sextant.usid.Candidate;
import org.sextant.usid.Policy.Candidates;
import org.sextant.usid.Policy.WeightedHops;

/**
 * What a policy that has a color shows to those that are composed of policies of that color (RFC 9256, 2.2).
 *
 * @param composes whether it is composed of others itself, by whichever of its candidate paths: then nothing is composed of it
 * @param lists those of the path that it takes
 */
record Member(String headend, String endpoint, boolean composes, List<WeightedHops> lists) {
    Member {
        lists = List.copyOf(lists);
    }

    static Member of(Node headend, Node endpoint, Candidates form, List<WeightedHops> lists) {
        boolean composes = form.paths().stream().anyMatch(path -> path.choice() instanceof Candidate.Composite);
        return new Member(headend.name(), endpoint.name(), composes, lists);
    }

    /** Under which policies of a color are followed. */
    static String name(long color) {
        return "policies of color " + color;
    }
}
