// SPDX-License-Identifier: Apache-2.0
package org.sextant.core.net;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import java.util.TreeMap;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import org.junit.jupiter.api.Test;

class PathsTest {

    @Test
    void two_equally_short_ways_are_both_next_hops_in_the_order_of_names() {
        Paths paths = new Paths(network(
                link("a", 1, "c", 1, 10),
                link("a", 2, "b", 1, 10),
                link("b", 2, "d", 1, 10),
                link("c", 2, "d", 2, 10)));
        assertThat(ids(paths.nextHops("a", "d", Metric.IGP))).containsExactly("a/2-b/1", "a/1-c/1");
        assertThat(ids(paths.path("a", "d", Metric.IGP))).containsExactly("a/2-b/1", "b/2-d/1");
        assertThat(paths.distance("a", "d", Metric.IGP)).hasValue(20);
        assertThat(paths.nextHops("d", "d", Metric.IGP)).isEmpty();
        assertThat(paths.distance("d", "d", Metric.IGP)).hasValue(0);
    }

    @Test
    void every_metric_has_its_own_shortest_path() {
        Link direct = new Link(new Link.End("a", 1), new Link.End("b", 1), 100, 1, 900, 0, Set.of(), Set.of(), true);
        Paths paths = new Paths(network(
                direct,
                new Link(new Link.End("a", 2), new Link.End("c", 1), 10, 10, 100, 0, Set.of(), Set.of(), true),
                new Link(new Link.End("c", 2), new Link.End("b", 2), 10, 10, 100, 0, Set.of(), Set.of(), true)));
        assertThat(ids(paths.path("a", "b", Metric.IGP))).containsExactly("a/2-c/1", "c/2-b/2");
        assertThat(ids(paths.path("a", "b", Metric.TE))).containsExactly("a/1-b/1");
        assertThat(ids(paths.path("a", "b", Metric.HOPS))).containsExactly("a/1-b/1");
        assertThat(ids(paths.path("a", "b", Metric.DELAY))).containsExactly("a/2-c/1", "c/2-b/2");
        assertThat(paths.distance("a", "b", Metric.DELAY)).hasValue(200);
    }

    @Test
    void links_that_are_down_and_links_the_other_way_do_not_count() {
        Link down = new Link(new Link.End("a", 1), new Link.End("b", 1), 1, 1, 0, 0, Set.of(), Set.of(), false);
        Paths paths = new Paths(network(down, link("b", 2, "a", 2, 1)));
        assertThat(paths.distance("a", "b", Metric.IGP)).isEmpty();
        assertThat(paths.path("a", "b", Metric.IGP)).isEmpty();
        assertThat(paths.nextHops("a", "b", Metric.IGP)).isEmpty();
        assertThat(paths.distance("b", "a", Metric.IGP)).hasValue(1);
        assertThat(paths.distance("a", "nobody", Metric.IGP)).isEmpty();
    }

    @Property(tries = 200)
    void agrees_with_floyd_and_warshall_on_random_networks(
            @ForAll long seed, @ForAll @IntRange(min = 2, max = 12) int size) {
        Network network = random(seed, size, 3 * size);
        Paths paths = new Paths(network);
        List<String> names = List.copyOf(network.nodes().keySet());
        long[][] expected = floydWarshall(network, names);
        for (int i = 0; i < size; i++) {
            for (int j = 0; j < size; j++) {
                String from = names.get(i);
                String to = names.get(j);
                assertThat(paths.distance(from, to, Metric.IGP).orElse(FAR)).isEqualTo(expected[i][j]);
                if (i != j && expected[i][j] < FAR) {
                    assertThat(paths.path(from, to, Metric.IGP).stream()
                                    .mapToLong(Link::igpMetric)
                                    .sum())
                            .isEqualTo(expected[i][j]);
                    int row = i;
                    int column = j;
                    assertThat(paths.nextHops(from, to, Metric.IGP))
                            .containsExactlyInAnyOrderElementsOf(network.linksFrom(from).stream()
                                    .filter(link -> link.igpMetric()
                                                    + expected[
                                                            names.indexOf(
                                                                    link.to().node())][column]
                                            == expected[row][column])
                                    .toList());
                }
            }
        }
    }

    private static final long FAR = 1L << 40;

    private static long[][] floydWarshall(Network network, List<String> names) {
        int size = names.size();
        long[][] distance = new long[size][size];
        for (int i = 0; i < size; i++) {
            java.util.Arrays.fill(distance[i], FAR);
            distance[i][i] = 0;
        }
        for (Link link : network.links()) {
            int from = names.indexOf(link.from().node());
            int to = names.indexOf(link.to().node());
            distance[from][to] = Math.min(distance[from][to], link.igpMetric());
        }
        for (int k = 0; k < size; k++) {
            for (int i = 0; i < size; i++) {
                for (int j = 0; j < size; j++) {
                    distance[i][j] = Math.min(FAR, Math.min(distance[i][j], distance[i][k] + distance[k][j]));
                }
            }
        }
        return distance;
    }

    private static Network random(long seed, int size, int links) {
        Random random = new Random(seed);
        List<Link> all = new ArrayList<>();
        int[] ports = new int[size];
        for (int i = 0; i < links; i++) {
            int from = random.nextInt(size);
            int to = (from + 1 + random.nextInt(size - 1)) % size;
            all.add(link("n" + from, ++ports[from], "n" + to, ++ports[to], 1 + random.nextInt(4)));
        }
        Network network = network(all.toArray(Link[]::new));
        List<Node> nodes = new ArrayList<>();
        for (int i = 0; i < size; i++) {
            nodes.add(node("n" + i));
        }
        return new Network(nodes, network.links(), List.of());
    }

    private static Network network(Link... links) {
        Map<String, Node> nodes = new TreeMap<>();
        for (Link link : links) {
            nodes.put(link.from().node(), node(link.from().node()));
            nodes.put(link.to().node(), node(link.to().node()));
        }
        return new Network(nodes.values(), List.of(links), List.of());
    }

    private static Node node(String name) {
        return new Node(name, "device:" + name, "", "", Optional.empty(), new TreeMap<>(), Optional.empty());
    }

    private static Link link(String from, int fromPort, String to, int toPort, int metric) {
        return new Link(
                new Link.End(from, fromPort), new Link.End(to, toPort), metric, metric, 0, 0, Set.of(), Set.of(), true);
    }

    private static List<String> ids(List<Link> links) {
        return links.stream().map(Link::id).toList();
    }
}
