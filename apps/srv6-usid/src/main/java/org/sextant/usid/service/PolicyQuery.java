// SPDX-License-Identifier: Apache-2.0
package org.sextant.usid.service;

import java.util.List;
import java.util.Optional;
import org.sextant.core.Problem;
import org.sextant.core.ProblemException;
import org.sextant.core.ip.IpAddress;
import org.sextant.core.ip.IpPrefix;
import org.sextant.core.net.Host;
import org.sextant.core.net.Network;
import org.sextant.kit.Endpoint;
import org.sextant.usid.Policy;
import org.sextant.usid.Waypoint;

/**
 * Which policies are asked for. Ends match if they are written the same or share an address: a host's name finds a
 * policy that gives its address, and an address one that gives its host. The source of a policy in the general form is
 * its headend.
 *
 * @param nodes the whole list of a policy in the paper's form, as it was given
 */
public record PolicyQuery(Optional<Endpoint> source, Optional<Endpoint> destination, Optional<List<Waypoint>> nodes) {
    public static final PolicyQuery ALL = new PolicyQuery(Optional.empty(), Optional.empty(), Optional.empty());

    /**
     * Null or empty means any.
     *
     * @param nodes separated by commas
     * @throws ProblemException naming the parameter that is not valid
     */
    public static PolicyQuery parse(String source, String destination, String nodes) {
        return new PolicyQuery(
                given(source).map(text -> endpoint(text, "/source")),
                given(destination).map(text -> endpoint(text, "/destination")),
                given(nodes).map(PolicyQuery::waypoints));
    }

    private static Optional<String> given(String text) {
        return Optional.ofNullable(text).filter(value -> !value.isEmpty());
    }

    private static Endpoint endpoint(String text, String field) {
        try {
            return Endpoint.parse(text);
        } catch (IllegalArgumentException e) {
            throw new ProblemException(new Problem(
                    Problem.Code.INVALID, field, e.getMessage(), "give a host's name, an address or a prefix"));
        }
    }

    private static List<Waypoint> waypoints(String text) {
        try {
            return java.util.Arrays.stream(text.split(","))
                    .map(String::trim)
                    .map(Waypoint::new)
                    .toList();
        } catch (IllegalArgumentException e) {
            throw new ProblemException(new Problem(
                    Problem.Code.INVALID,
                    "/nodes",
                    e.getMessage(),
                    "give the nodes as in the policy, separated by commas"));
        }
    }

    public boolean matches(Policy policy, Network network) {
        if (policy.path() instanceof Policy.Between path) {
            return source.map(wanted -> same(wanted, path.from(), network)).orElse(true)
                    && destination
                            .map(wanted -> same(wanted, path.to(), network))
                            .orElse(true)
                    && nodes.map(path.nodes()::equals).orElse(true);
        }
        Policy.Explicit path = (Policy.Explicit) policy.path();
        return source.map(wanted -> wanted.toString().equals(path.headend().text()))
                        .orElse(true)
                && destination
                        .map(wanted -> path.steering().stream().anyMatch(steered -> same(wanted, steered, network)))
                        .orElse(true)
                && nodes.isEmpty();
    }

    private static boolean same(Endpoint wanted, Endpoint given, Network network) {
        return wanted.equals(given) || prefixes(wanted, network).stream().anyMatch(prefixes(given, network)::contains);
    }

    private static List<IpPrefix> prefixes(Endpoint endpoint, Network network) {
        if (endpoint instanceof Endpoint.Range range) {
            return List.of(range.prefix());
        }
        List<IpAddress> addresses = network.host(((Endpoint.Named) endpoint).host())
                .map(Host::addresses)
                .orElse(List.of());
        return addresses.stream()
                .map(address -> new IpPrefix(address, address.bits()))
                .toList();
    }
}
