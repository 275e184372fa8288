// SPDX-License-Identifier: Apache-2.0
package org.sextant.usid.app;

import java.util.Arrays;
import java.util.List;
import java.util.stream.Stream;
import org.sextant.core.Problem;
import org.sextant.core.ProblemException;
import org.sextant.core.Reason;
import org.sextant.kit.Endpoint;
import org.sextant.kit.app.EndFilters;
import org.sextant.kit.app.Filter;
import org.sextant.kit.path.Waypoint;
import org.sextant.usid.Policy;

/** The filters of policies: the ends, and the list of nodes in the host-to-host form, as given. */
final class PolicyFilters {
    static final List<Filter<Policy>> ALL = List.of(
            EndFilters.source("; of the general form the headend", PolicyFilters::sources, PolicyFilters::isHeadend),
            EndFilters.destination(PolicyFilters::destinations),
            new Filter<>(
                    "nodes",
                    "NODE,NODE…",
                    "the nodes as they were posted, separated by commas",
                    "Only by these nodes as given.",
                    "by",
                    false,
                    text -> {
                        List<Waypoint> wanted = waypoints(text);
                        return (policy, network) -> policy.path() instanceof Policy.Between path
                                && path.nodes().equals(wanted);
                    }));

    private PolicyFilters() {}

    private static List<Endpoint> sources(Policy policy) {
        return policy.path() instanceof Policy.Between path ? List.of(path.from()) : List.of();
    }

    private static boolean isHeadend(Policy policy, Endpoint wanted) {
        return policy.headend()
                .filter(headend -> wanted.toString().equals(headend.text()))
                .isPresent();
    }

    private static List<Endpoint> destinations(Policy policy) {
        return policy.path() instanceof Policy.Between path
                ? List.of(path.to())
                : Stream.concat(
                                policy.steering().stream(),
                                policy.flows().stream().flatMap(flow -> flow.destination().stream()))
                        .toList();
    }

    private static List<Waypoint> waypoints(String text) {
        try {
            return Arrays.stream(text.split(","))
                    .map(String::trim)
                    .map(Waypoint::new)
                    .toList();
        } catch (IllegalArgumentException e) {
            throw new ProblemException(new Problem(
                    Problem.Code.INVALID,
                    "/nodes",
                    Reason.of(e),
                    "give the nodes as in the policy, separated by commas"));
        }
    }
}
