// SPDX-License-Identifier: Apache-2.0
package org.sextant.usid;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import org.sextant.core.json.Fields;
import org.sextant.usid.Candidate.Composite;
import org.sextant.usid.Candidate.Constituent;

/** Reads and writes composite candidate paths in a policy's JSON. */
final class CompositeJson {
    /** The maximum number of constituents, equal to that of candidate paths. */
    private static final int MOST = 16;

    private CompositeJson() {}

    static Optional<Composite> decode(Fields candidate) {
        List<Constituent> all = candidate.list("composite", (node, at) -> constituent(node, at, candidate));
        int given = candidate.node("composite").map(JsonNode::size).orElse(0);
        if (given > MOST) {
            candidate.invalid(
                    candidate.pointer("composite"), given + " policies are more than " + MOST, "leave some out");
        }
        if (given == 0 && candidate.node("composite").filter(JsonNode::isArray).isPresent()) {
            candidate.invalid(candidate.pointer("composite"), "it is composed of nothing", "name a color at least");
        }
        for (int i = 1; i < all.size(); i++) {
            long color = all.get(i).color();
            if (all.subList(0, i).stream().anyMatch(before -> before.color() == color)) {
                candidate.invalid(
                        candidate.pointer("composite") + "/" + i + "/color",
                        "color " + color + " is named twice",
                        "name it once, with the sum of the weights");
            }
        }
        return all.isEmpty() || all.size() < given ? Optional.empty() : Optional.of(new Composite(all));
    }

    private static Optional<Constituent> constituent(JsonNode node, String at, Fields candidate) {
        Fields fields = new Fields(node, at, candidate.problems());
        int before = candidate.problems().size();
        fields.require("color", "name the color of a policy between the same two nodes");
        long color = fields.integer("color", 1, Terms.MAX_COLOR, 1);
        int weight = (int) fields.integer("weight", 1, 255, 1);
        fields.finish();
        return candidate.problems().size() > before ? Optional.empty() : Optional.of(new Constituent(color, weight));
    }

    /** A policy that is composed of itself would be endless (RFC 9256, 2.2). */
    static void refuseOwn(OptionalLong own, List<Candidate> paths, Fields policy) {
        for (int i = 0; i < paths.size() && own.isPresent(); i++) {
            if (paths.get(i).choice() instanceof Composite composite) {
                for (int j = 0; j < composite.of().size(); j++) {
                    if (composite.of().get(j).color() == own.getAsLong()) {
                        policy.invalid(
                                policy.pointer("candidatePaths") + "/" + i + "/composite/" + j + "/color",
                                "color " + own.getAsLong() + " is the policy's own",
                                "name other policies");
                    }
                }
            }
        }
    }

    static void encode(Composite composite, ObjectNode json) {
        var array = json.putArray("composite");
        composite
                .of()
                .forEach(one -> array.addObject().put("color", one.color()).put("weight", one.weight()));
    }
}
