// SPDX-License-Identifier: Apache-2.0
package org.sextant.usid.plan;

import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.IntStream;
import org.sextant.core.net.Link;
import org.sextant.core.te.Constraint.ApartFrom;
import org.sextant.core.te.PairSearch;
import org.sextant.usid.Candidate;
import org.sextant.usid.Candidate.Dynamic;
import org.sextant.usid.Candidate.Share;
import org.sextant.usid.Candidate.Twin;

/**
 * The other one of two disjoint candidate paths.
 *
 * @param leads true for the better one of two computed paths. It takes the best path that leaves the other one any; the
 *     other takes the best path left
 */
record DisjointPeer(int other, Candidate candidate, Share share, boolean leads) {

    /** Empty if no disjointness between the candidate path and another of its policy is required. */
    static Optional<DisjointPeer> of(List<Candidate> paths, int index) {
        Candidate own = paths.get(index);
        return IntStream.range(0, paths.size())
                .filter(i -> i != index)
                .boxed()
                .flatMap(i -> share(own, paths.get(i)).or(() -> share(paths.get(i), own)).stream()
                        .map(share -> new DisjointPeer(i, paths.get(i), share, leads(own, paths.get(i)))))
                .findFirst();
    }

    private static Optional<Share> share(Candidate one, Candidate other) {
        return one.choice() instanceof Dynamic dynamic
                ? dynamic.twin()
                        .filter(twin -> twin.preference() == other.preference())
                        .map(Twin::share)
                : Optional.empty();
    }

    /** A computed path leads no explicit path, as that cannot change. */
    private static boolean leads(Candidate own, Candidate other) {
        return other.choice() instanceof Dynamic
                && Candidate.bestFirst(Optional.empty()).compare(own, other) < 0;
    }

    /** The links of the other path, to be avoided. */
    Beside beside(Set<Link> links) {
        return new Beside("candidate path " + candidate.preference() + " (" + share.spelling() + ")", share, links);
    }

    /** The links that a path avoids. */
    record Beside(String called, Share share, Set<Link> links) {
        ApartFrom constraint(Set<String> ends) {
            return PairSearch.apart(called, links, ends, share.nodes(), share.srlgs());
        }
    }
}
