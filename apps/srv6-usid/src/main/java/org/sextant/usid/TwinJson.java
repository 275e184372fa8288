// SPDX-License-Identifier: Apache-2.0
package org.sextant.usid;

import com.fasterxml.jackson.databind.node.ArrayNode;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.IntStream;
import org.sextant.core.json.Fields;
import org.sextant.usid.Candidate.Dynamic;
import org.sextant.usid.Candidate.Share;
import org.sextant.usid.Candidate.Twin;

/** Reads and writes the disjointness between candidate paths of a policy. */
final class TwinJson {
    private TwinJson() {}

    static Optional<Twin> decode(Fields fields) {
        long preference = fields.integer("candidate", 0, Candidate.MAX, Candidate.DEFAULT_PREFERENCE);
        Optional<Share> share = fields.word("share", List.of(Share.values()), Share::spelling);
        fields.finish();
        return Optional.of(new Twin(preference, share.orElse(Share.LINK)));
    }

    static void encode(Twin twin, ArrayNode apart) {
        apart.addObject()
                .put("candidate", twin.preference())
                .put("share", twin.share().spelling());
    }

    /** Disjoint paths are computed in pairs, so each is in one pair only. */
    static void requirePairs(Fields policy, List<Candidate> candidates) {
        Map<Integer, Set<Integer>> pairs = new HashMap<>();
        for (int i = 0; i < candidates.size(); i++) {
            Optional<Twin> twin = twin(candidates.get(i));
            if (twin.isPresent()) {
                String at = policy.pointer("candidatePaths") + "/" + i + "/dynamic/disjointFrom";
                requirePair(policy, candidates, i, twin.get(), at, pairs);
            }
        }
    }

    private static void requirePair(
            Fields policy,
            List<Candidate> candidates,
            int own,
            Twin twin,
            String at,
            Map<Integer, Set<Integer>> pairs) {
        int[] others = IntStream.range(0, candidates.size())
                .filter(i -> candidates.get(i).preference() == twin.preference())
                .toArray();
        if (others.length != 1 || others[0] == own) {
            policy.invalid(
                    at,
                    others.length == 0
                            ? "there is no candidate path of preference " + twin.preference()
                            : others.length > 1
                                    ? "there are several candidate paths of preference " + twin.preference()
                                    : "a path is not disjoint from itself",
                    "write the preference that another candidate path has, and no third one");
            return;
        }
        int other = others[0];
        Set<Integer> pair = Set.of(own, other);
        boolean again = !pairs.getOrDefault(own, pair).equals(pair)
                || !pairs.getOrDefault(other, pair).equals(pair)
                || twin(candidates.get(other))
                        .filter(back -> back.share() != twin.share())
                        .isPresent();
        if (again) {
            policy.invalid(
                    at,
                    "candidate paths are disjoint two by two, and both mean the same by it: one of these is in another pair, or"
                            + " says something else",
                    "take the reference out of one of them");
        }
        pairs.put(own, pair);
        pairs.put(other, pair);
    }

    private static Optional<Twin> twin(Candidate candidate) {
        return candidate.choice() instanceof Dynamic dynamic ? dynamic.twin() : Optional.empty();
    }
}
