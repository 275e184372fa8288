// SPDX-License-Identifier: Apache-2.0
package org.sextant.core.te;

import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import java.util.TreeMap;
import org.sextant.core.net.Link;
import org.sextant.core.net.Network;
import org.sextant.core.net.Node;

/** Networks of links in both directions, for tests. */
final class Roads {
    private final List<Link> links = new ArrayList<>();
    private final Map<String, Integer> ports = new TreeMap<>();

    /** Both directions of a link. */
    Roads road(String one, String other, int igp, int te, long delayMicros, Set<Integer> srlgs, String... colors) {
        Link.End from = new Link.End(one, ports.merge(one, 1, Integer::sum));
        Link.End to = new Link.End(other, ports.merge(other, 1, Integer::sum));
        Link there = new Link(from, to, igp, te, delayMicros, 0, srlgs, Set.of(colors), true);
        links.add(there);
        links.add(new Link(to, from, igp, te, delayMicros, 0, srlgs, Set.of(colors), true));
        return this;
    }

    Roads road(String one, String other, int igp, long delayMicros, String... colors) {
        return road(one, other, igp, igp, delayMicros, Set.of(), colors);
    }

    Network network() {
        return network(ports.keySet());
    }

    private Network network(Collection<String> names) {
        return new Network(names.stream().map(Roads::node).toList(), links, List.of());
    }

    /** Nodes n0, n1, …; as many links as requested, parallel ones too, not all of them of known delay. */
    static Network random(long seed, int nodes, int count) {
        Random random = new Random(seed);
        Random capacities = new Random(~seed);
        Roads roads = new Roads();
        List<String> names = new ArrayList<>();
        for (int i = 0; i < nodes; i++) {
            names.add("n" + i);
        }
        List<String> colors = List.of("red", "blue");
        for (int i = 0; i < count; i++) {
            int one = random.nextInt(nodes);
            int other = (one + 1 + random.nextInt(nodes - 1)) % nodes;
            roads.road(
                    names.get(one),
                    names.get(other),
                    1 + random.nextInt(3),
                    1 + random.nextInt(4),
                    random.nextInt(8) == 0 ? 0 : 1 + random.nextInt(5),
                    random.nextInt(3) == 0 ? Set.of(random.nextInt(2)) : Set.of(),
                    colors.subList(0, random.nextInt(3)).toArray(String[]::new));
        }
        roads.links.replaceAll(link -> link.withCapacityKbps(capacities.nextInt(12)));
        return roads.network(names);
    }

    private static Node node(String name) {
        return new Node(name, "device:" + name, "", "", Optional.empty(), new TreeMap<>(), Optional.empty());
    }
}
