// SPDX-License-Identifier: Apache-2.0
package org.sextant.usid.app;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.DisplayNameGeneration;
import org.junit.jupiter.api.DisplayNameGenerator;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.sextant.core.intent.Reservation;
import org.sextant.core.net.Link;
import org.sextant.northbound.rest.Client;
import org.sextant.usid.Fig4;
import org.sextant.usid.probe.Probes;

/** Many policies on Figure 4 with links of random capacity: after any changes, no link is overloaded. */
@DisplayNameGeneration(DisplayNameGenerator.ReplaceUnderscores.class)
class RandomBandwidthTest {
    private static final List<String> NODES = List.of("l1", "l2", "l3", "p6", "p7", "v4", "v5", "v8");

    private final Map<String, Long> demands = new TreeMap<>();
    private int looked;

    static Stream<Integer> seeds() {
        return IntStream.range(0, 8).boxed();
    }

    @ParameterizedTest
    @MethodSource("seeds")
    void no_link_has_more_on_it_than_it_carries(int seed) {
        Random random = new Random(seed);
        try (Controller controller = new Controller()) {
            Client client = Client.of(controller.app, Probes.resource(controller, new Probes()));
            network(controller, random);
            for (int step = 0; step < 40; step++) {
                String name = "p" + random.nextInt(12);
                switch (random.nextInt(6)) {
                    case 0 -> client.delete("policies/" + name);
                    case 1 -> network(controller, random);
                    default -> post(client, name, random);
                }
                controller.settle();
                holds(controller, client);
            }
        }
        assertThat(looked).as("links of which something was reserved").isGreaterThan(100);
    }

    private void network(Controller controller, Random random) {
        long seed = random.nextLong();
        controller.inventory.set(Fig4.withLinks(link -> {
            Random own = new Random(seed ^ link.undirectedId().hashCode());
            return link.withCapacityKbps(100L * own.nextInt(12)).withUp(own.nextInt(12) > 0);
        }));
    }

    private void post(Client client, String name, Random random) {
        String from = NODES.get(random.nextInt(NODES.size()));
        String to = NODES.get(random.nextInt(NODES.size()));
        int setup = random.nextInt(8);
        long kbps = 100L * (1 + random.nextInt(6));
        int status = client.post(
                        "policies",
                        "{'name':'" + name + "','headend':'" + from + "','endpoint':'" + to + "','steering':['2001:db8:"
                                + name.substring(1) + "::/48'],'candidatePaths':[{'dynamic':{'bandwidthKbps':" + kbps
                                + ",'setupPriority':" + setup + ",'holdPriority':" + random.nextInt(setup + 1) + "}}]}")
                .status();
        if (status == 200 || status == 201 || status == 202) {
            demands.put(name, kbps);
        }
    }

    /** The load of links by the plans is the reserved bandwidth, and within the capacity of each link. */
    private void holds(Controller controller, Client client) {
        Map<String, Long> walked = new TreeMap<>();
        for (JsonNode policy : client.get("policies").json()) {
            String name = policy.get("id").textValue();
            if (policy.get("state").textValue().equals("INSTALLED")) {
                client.get("policies/" + name + "/plan")
                        .json()
                        .at("/candidatePaths/0/links")
                        .forEach(link -> walked.merge(link.textValue(), demands.get(name), Long::sum));
            }
        }
        Map<String, Long> reserved = controller.engine.reservations().stream()
                .collect(Collectors.groupingBy(
                        Reservation::link, TreeMap::new, Collectors.summingLong(Reservation::kbps)));
        looked += reserved.size();
        assertThat(reserved).isEqualTo(walked);
        Map<String, Long> capacity = controller.inventory.snapshot().links().stream()
                .collect(Collectors.toMap(Link::id, Link::capacityKbps));
        reserved.forEach(
                (link, kbps) -> assertThat(kbps).as(link).isLessThanOrEqualTo(capacity.getOrDefault(link, 0L)));
    }
}
