// SPDX-License-Identifier: Apache-2.0
package org.sextant.livelive.path;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.BiFunction;
import java.util.function.Function;
import org.sextant.core.net.Link;

/**
 * A resource that several paths share against the request: a link without its direction ({@code l1/1-l2/1}), a node, or
 * a group by its number.
 *
 * @param kind the constraint that was relaxed
 * @param paths those that share it, counted from 0 in the order of the path set
 */
public record SharedResource(Disjointness kind, String what, List<Integer> paths) {
    public SharedResource {
        paths = List.copyOf(paths);
    }

    /** All resources that these paths share and {@code wanted} forbids: links first, then nodes, then groups. */
    public static List<SharedResource> of(List<LinkPath> paths, Disjointness wanted) {
        List<SharedResource> all = new ArrayList<>(shared(
                Disjointness.LINK,
                paths,
                path -> path.links().stream().map(Link::undirectedId).toList()));
        if (wanted.nodes()) {
            all.addAll(shared(Disjointness.NODE, paths, LinkPath::interior));
        }
        if (wanted.groups()) {
            all.addAll(shared(
                    Disjointness.SRLG,
                    paths,
                    path -> path.srlgs().stream().map(String::valueOf).toList()));
        }
        return all;
    }

    private static List<SharedResource> shared(
            Disjointness kind, List<LinkPath> paths, Function<LinkPath, List<String>> things) {
        Map<String, List<Integer>> users = new TreeMap<>();
        for (int i = 0; i < paths.size(); i++) {
            for (String thing : things.apply(paths.get(i))) {
                users.computeIfAbsent(thing, none -> new ArrayList<>()).add(i);
            }
        }
        BiFunction<String, List<Integer>, SharedResource> sharing = (what, who) -> new SharedResource(kind, what, who);
        return users.entrySet().stream()
                .filter(user -> user.getValue().size() > 1)
                .map(user -> sharing.apply(user.getKey(), user.getValue()))
                .toList();
    }

    /** The number of its uses beyond the first. */
    int excess() {
        return paths.size() - 1;
    }
}
