// SPDX-License-Identifier: Apache-2.0
package org.sextant.usid.plan;

import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.SortedSet;
import org.sextant.core.intent.CompileContext;
import org.sextant.core.intent.NumberedIntent;
import org.sextant.core.intent.Plan;
import org.sextant.core.net.Link;
import org.sextant.core.net.Network;
import org.sextant.usid.Policy;

/**
 * The intended path of a policy: its path if all links were up, if some of its links are down. A loose path follows the
 * underlay of that network, a computed one is computed for it, of candidate paths it is that of the best one, and a
 * strict path is the specified one.
 *
 * @param links all of the path, by id
 * @param down those of them that are down, by their names in messages, {@code p6-v5}
 */
public record IntendedPath(List<String> links, List<String> down) {
    public IntendedPath {
        links = List.copyOf(links);
        down = List.copyOf(down);
    }

    /** The network of intended paths, with all links up; the same instance if no link is down. */
    public static Network allUp(Network network) {
        Collection<Link> links = network.links();
        return links.stream().allMatch(Link::up)
                ? network
                : network.withLinks(
                        links.stream().map(link -> link.withUp(true)).toList());
    }

    /**
     * True if a plan sends packets over a link that is down: it was compiled before the link failed, and the policy is
     * about to be compiled again.
     */
    public static boolean isOutdated(Plan plan, CompileContext now) {
        List<String> used = plan.feasible() ? Summary.way(plan).names() : List.of();
        return used.stream()
                .anyMatch(name ->
                        now.underlay().link(name).filter(link -> !link.up()).isPresent());
    }

    /**
     * Empty if no link of the intended path is down.
     *
     * @param ideal a context over {@link #allUp}
     */
    public static Optional<IntendedPath> of(
            PolicyCompiler compiler, NumberedIntent<Policy> policy, CompileContext ideal, Network now) {
        SortedSet<String> links = compiler.links(policy, ideal);
        List<String> down = now.links().stream()
                .filter(link -> !link.up() && links.contains(link.id()))
                .map(IntendedPath::name)
                .distinct()
                .toList();
        return down.isEmpty() ? Optional.empty() : Optional.of(new IntendedPath(List.copyOf(links), down));
    }

    private static String name(Link link) {
        boolean first = link.undirectedId().equals(link.id());
        Link.End one = first ? link.from() : link.to();
        Link.End other = first ? link.to() : link.from();
        return one.node() + "-" + other.node();
    }
}
