// SPDX-License-Identifier: Apache-2.0
package org.sextant.livelive.path;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.TreeSet;
import org.sextant.core.net.Link;

/** Small networks as text: {@code "a-b 10, b-c 5 srlg 7"}; every link has both directions. */
final class Graphs {
    private Graphs() {}

    static List<Link> links(String text) {
        List<Link> links = new ArrayList<>();
        Map<String, Integer> ports = new HashMap<>();
        for (String line : text.split(",")) {
            String[] words = line.trim().split(" +");
            String[] ends = words[0].split("-");
            int metric = words.length > 1 ? Integer.parseInt(words[1]) : 10;
            Set<Integer> groups = new TreeSet<>();
            for (int i = 3; i < words.length; i++) {
                groups.add(Integer.parseInt(words[i]));
            }
            add(links, ports, ends[0], ends[1], metric, groups);
        }
        return links;
    }

    private static void add(
            List<Link> links, Map<String, Integer> ports, String a, String b, int metric, Set<Integer> groups) {
        Link.End from = new Link.End(a, ports.merge(a, 1, Integer::sum));
        Link.End to = new Link.End(b, ports.merge(b, 1, Integer::sum));
        links.add(new Link(from, to, metric, 1, 0, 0, groups, Set.of(), true));
        links.add(new Link(to, from, metric, 1, 0, 0, groups, Set.of(), true));
    }

    /** A network of nodes a, b, c … with random links, some of them parallel. */
    static List<Link> random(long seed, int nodes, int links, int groups) {
        Random random = new Random(seed);
        List<Link> all = new ArrayList<>();
        Map<String, Integer> ports = new HashMap<>();
        for (int i = 0; i < links; i++) {
            int a = random.nextInt(nodes);
            int b = (a + 1 + random.nextInt(nodes - 1)) % nodes;
            Set<Integer> srlgs = new TreeSet<>();
            for (int group = 1; group <= groups; group++) {
                if (random.nextInt(4) == 0) {
                    srlgs.add(group);
                }
            }
            add(all, ports, name(a), name(b), 1 + random.nextInt(9), srlgs);
        }
        return all;
    }

    static String name(int node) {
        return String.valueOf((char) ('a' + node));
    }

    /** The nodes in the form {@code "a b d"}. */
    static List<String> nodes(PathSet set) {
        return set.paths().stream().map(path -> String.join(" ", path.nodes())).toList();
    }

    /** Every loopless path. */
    static List<LinkPath> all(List<Link> links, String from, String to) {
        List<LinkPath> paths = new ArrayList<>();
        extend(links, new ArrayList<>(), new ArrayList<>(List.of(from)), to, paths);
        return paths;
    }

    private static void extend(
            List<Link> links, List<Link> path, List<String> visited, String to, List<LinkPath> paths) {
        String at = visited.get(visited.size() - 1);
        if (at.equals(to)) {
            paths.add(new LinkPath(path));
            return;
        }
        for (Link link : links) {
            if (link.from().node().equals(at) && !visited.contains(link.to().node())) {
                path.add(link);
                visited.add(link.to().node());
                extend(links, path, visited, to, paths);
                path.remove(path.size() - 1);
                visited.remove(visited.size() - 1);
            }
        }
    }

    /** The additional uses of links, nodes and groups, then the length, to be minimized in this order. */
    static long[] cost(List<LinkPath> paths, Disjointness wanted) {
        long[] cost = new long[4];
        for (SharedResource sharing : SharedResource.of(paths, wanted)) {
            cost[sharing.kind().ordinal()] += sharing.paths().size() - 1;
        }
        cost[3] = paths.stream().mapToLong(LinkPath::metric).sum();
        return cost;
    }

    static boolean less(long[] one, long[] other) {
        return Arrays.compare(one, other) < 0;
    }
}
