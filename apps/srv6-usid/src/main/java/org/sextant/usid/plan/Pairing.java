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
 * The other one of two candidate paths that share nothing.
 *
 * @param leads whether the first one has the choice: it is the better one of two that are computed. It takes the best path that leaves
 *     the other one any, and that then the best of those left
 */
record Pairing(int other, Candidate candidate, Share share, boolean leads) {

    /** Empty if the candidate keeps away from none of its policy, nor another one from it. */
    static Optional<Pairing> of(List<Candidate> paths, int index) {
        Candidate own = paths.get(index);
        return IntStream.range(0, paths.size())
                .filter(i -> i != index)
                .boxed()
                .flatMap(i -> share(own, paths.get(i)).or(() -> share(paths.get(i), own)).stream()
                        .map(share -> new Pairing(i, paths.get(i), share, leads(own, paths.get(i)))))
                .findFirst();
    }

    private static Optional<Share> share(Candidate one, Candidate other) {
        return one.choice() instanceof Dynamic dynamic
                ? dynamic.twin()
                        .filter(twin -> twin.preference() == other.preference())
                        .map(Twin::share)
                : Optional.empty();
    }

    /** What somebody has written down stays where it is. */
    private static boolean leads(Candidate own, Candidate other) {
        return other.choice() instanceof Dynamic
                && Candidate.bestFirst(Optional.empty()).compare(own, other) < 0;
    }

    /** To keep away from the other one's links. */
    Beside beside(Set<Link> links) {
        return new Beside("candidate path " + candidate.preference() + " (" + share.spelling() + ")", share, links);
    }

    /** What a path keeps away from. */
    record Beside(String called, Share share, Set<Link> links) {
        ApartFrom constraint(Set<String> ends) {
            return PairSearch.apart(called, links, ends, share.nodes(), share.srlgs());
        }
    }
}
