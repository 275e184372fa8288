// SPDX-License-Identifier: Apache-2.0
package org.sextant.usid;

import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.List;
import java.util.Optional;
import org.sextant.core.intent.SetupHoldPriority;
import org.sextant.core.json.Fields;
import org.sextant.usid.Candidate.Demand;

/** Reads and writes {@link Demand} among the fields of a computed candidate path. */
final class DemandJson {
    private DemandJson() {}

    /** The setup priority is the lowest by default, the hold priority equal to the setup priority. */
    static Optional<Demand> decode(Fields dynamic) {
        int setup = (int) dynamic.integer("setupPriority", 0, SetupHoldPriority.LOWEST, SetupHoldPriority.LOWEST);
        int hold = (int) dynamic.integer("holdPriority", 0, SetupHoldPriority.LOWEST, setup);
        if (!dynamic.has("bandwidthKbps")) {
            for (String name : List.of("setupPriority", "holdPriority")) {
                if (dynamic.has(name)) {
                    dynamic.invalid(
                            dynamic.pointer(name),
                            "\"" + name + "\" says who gets bandwidth, and none is asked for",
                            "give bandwidthKbps, or leave it out");
                }
            }
            return Optional.empty();
        }
        long kbps = dynamic.integer("bandwidthKbps", 1, Demand.MAX_KBPS, 1);
        if (hold > setup) {
            dynamic.invalid(
                    dynamic.pointer("holdPriority"),
                    "the hold priority " + hold + " is lower than the setup priority " + setup
                            + ": what was set up could be taken by its like again (RFC 3209, 4.7.1; 0 is the highest)",
                    "write " + setup + " or a smaller number");
            return Optional.empty();
        }
        return Optional.of(new Demand(kbps, new SetupHoldPriority(setup, hold)));
    }

    /** All candidate paths have the same priorities: they apply to the policy, whichever path is active. */
    static void requireOneStanding(Fields policy, List<Candidate> candidates) {
        Optional<SetupHoldPriority> first = Optional.empty();
        for (int i = 0; i < candidates.size(); i++) {
            Optional<SetupHoldPriority> standing = candidates.get(i).choice() instanceof Candidate.Dynamic dynamic
                    ? dynamic.demand().map(Demand::standing)
                    : Optional.empty();
            if (standing.isPresent() && first.isPresent() && !standing.equals(first)) {
                policy.invalid(
                        policy.pointer("candidatePaths") + "/" + i + "/dynamic/setupPriority",
                        "candidate paths of one policy have the same setup and hold priority, as they are never taken together",
                        "write " + first.get().setup() + " and " + first.get().hold() + " as before");
            }
            first = first.or(() -> standing);
        }
    }

    static void encode(Demand demand, ObjectNode json) {
        json.put("bandwidthKbps", demand.kbps())
                .put("setupPriority", demand.standing().setup())
                .put("holdPriority", demand.standing().hold());
    }
}
