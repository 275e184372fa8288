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
 * Something that several paths have in common although they were asked not to.
 *
 * @param kind of which constraint was relaxed
 * @param what the link without its direction ({@code l1/1-l2/1}), the node, or the number of the group
 * @param paths who shares it, counted from 0 in the order of the path set
 */
public record Sharing(Disjointness kind, String what, List<Integer> paths) {
    public Sharing {
        paths = List.copyOf(paths);
    }

    /** All that these paths share and {@code wanted} forbids: links first, then nodes, then groups. */
    public static List<Sharing> of(List<LinkPath> paths, Disjointness wanted) {
        List<Sharing> all = new ArrayList<>(shared(
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

    private static List<Sharing> shared(
            Disjointness kind, List<LinkPath> paths, Function<LinkPath, List<String>> things) {
        Map<String, List<Integer>> users = new TreeMap<>();
        for (int i = 0; i < paths.size(); i++) {
            for (String thing : things.apply(paths.get(i))) {
                users.computeIfAbsent(thing, none -> new ArrayList<>()).add(i);
            }
        }
        BiFunction<String, List<Integer>, Sharing> sharing = (what, who) -> new Sharing(kind, what, who);
        return users.entrySet().stream()
                .filter(user -> user.getValue().size() > 1)
                .map(user -> sharing.apply(user.getKey(), user.getValue()))
                .toList();
    }

    /** How often more than once it is used. */
    int excess() {
        return paths.size() - 1;
    }
}
