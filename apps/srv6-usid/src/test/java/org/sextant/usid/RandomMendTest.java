// SPDX-License-Identifier: Apache-2.0
package org.sextant.usid;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Function;
import java.util.function.UnaryOperator;
import java.util.stream.Collectors;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import org.sextant.core.fake.FakeCoordination;
import org.sextant.core.fake.FakeDataPlane;
import org.sextant.core.fake.FakeInventory;
import org.sextant.core.fake.FakeStore;
import org.sextant.core.intent.EngineSettings;
import org.sextant.core.intent.IntentStatus;
import org.sextant.core.intent.Plan;
import org.sextant.core.intent.engine.IntentEngine;
import org.sextant.core.net.Link;
import org.sextant.core.net.Network;
import org.sextant.core.net.Overload;
import org.sextant.core.sid.SidFormat;
import org.sextant.kit.Endpoint;
import org.sextant.kit.Family;
import org.sextant.kit.path.Hop;
import org.sextant.kit.path.Waypoint;
import org.sextant.usid.Policy.Candidates;
import org.sextant.usid.Policy.WeightedHops;
import org.sextant.usid.plan.PolicyKind;

/** Links of random networks fail, recover and change, and only the affected policies are compiled again. */
class RandomMendTest {
    private static final int POLICIES = 14;
    private static final int CHANGES = 12;
    private static final Overload DRAINED = new Overload(Instant.EPOCH, true);
    private static final List<SidFormat> FORMATS = List.of(SidFormat.F3216, SidFormat.F4816, SidFormat.F3232);

    private final PolicyKind kind = Fig4.kind();

    @Property(tries = 25)
    void while_links_come_and_get_better_all_plans_are_what_they_would_be_anew(
            @ForAll Random random, @ForAll @IntRange(min = 4, max = 24) int size) {
        Network network = network(random, size);
        for (int i = 0; i < size / 2; i++) {
            network = changed(random, network, one -> link -> link.withUp(false));
        }
        try (Controller controller = new Controller(network, random)) {
            for (int change = 0; change < CHANGES; change++) {
                controller.change(one -> better(random));
                controller.all().forEach(status -> isWhatItWouldBe(status, controller.anew(status)));
            }
        }
    }

    /** A plan may need fewer uSIDs once a link is lost that its packets avoided: the policy is not compiled again. */
    @Property(tries = 25)
    void whatever_changes_all_plans_lead_over_links_that_are_up_where_there_is_a_path(
            @ForAll Random random, @ForAll @IntRange(min = 4, max = 24) int size) {
        try (Controller controller = new Controller(network(random, size), random)) {
            for (int change = 0; change < CHANGES; change++) {
                controller.change(one -> change(random, one));
                Set<String> down = controller.down();
                controller.all().forEach(status -> {
                    assertThat(status.plan().problems())
                            .isEqualTo(controller.anew(status).problems());
                    assertThat(status.plan().dependsOn().names()).noneMatch(down::contains);
                });
            }
        }
    }

    /** A node that is no longer drained has the effect of new links; a drained one, that of lost links. */
    @Property(tries = 25)
    void while_drained_nodes_come_back_all_plans_are_what_they_would_be_anew(
            @ForAll Random random, @ForAll @IntRange(min = 4, max = 24) int size) {
        Network network = network(random, size);
        TreeMap<String, Overload> drained = new TreeMap<>();
        for (int i = 0; i <= size / 4; i++) {
            drained.put("n" + random.nextInt(size), DRAINED);
        }
        try (Controller controller = new Controller(network.withOverloads(drained), random)) {
            while (!drained.isEmpty()) {
                if (random.nextBoolean()) {
                    drained.pollFirstEntry();
                    controller.drained(drained);
                } else {
                    controller.change(one -> better(random));
                }
                controller.all().forEach(status -> isWhatItWouldBe(status, controller.anew(status)));
            }
        }
    }

    @Property(tries = 25)
    void plans_lead_over_drained_nodes_only_where_they_would_anew(
            @ForAll Random random, @ForAll @IntRange(min = 4, max = 24) int size) {
        try (Controller controller = new Controller(network(random, size), random)) {
            TreeMap<String, Overload> drained = new TreeMap<>();
            for (int change = 0; change < CHANGES; change++) {
                String node = "n" + random.nextInt(size);
                if (drained.remove(node) == null) {
                    drained.put(node, DRAINED);
                }
                controller.drained(drained);
                controller.all().forEach(status -> {
                    Plan anew = controller.anew(status);
                    assertThat(status.plan().problems()).isEqualTo(anew.problems());
                    assertThat(controller.overDrained(status.plan())).isEqualTo(controller.overDrained(anew));
                });
            }
        }
    }

    private static Network network(Random random, int size) {
        SidFormat format = FORMATS.get(random.nextInt(FORMATS.size()));
        return RandomDynamicTest.colored(random, RandomPolicyTest.connected(random, size, 4, format));
    }

    /** The engine with random policies. */
    private final class Controller implements AutoCloseable {
        private final Random random;
        private final FakeInventory inventory;
        private final IntentEngine engine;

        Controller(Network network, Random random) {
            this.random = random;
            inventory = new FakeInventory(network);
            FakeDataPlane dataPlane = new FakeDataPlane();
            network.nodes().keySet().forEach(dataPlane::connect);
            engine = new IntentEngine(
                    inventory,
                    dataPlane,
                    new FakeStore(),
                    new FakeCoordination(),
                    EngineSettings.DEFAULT
                            .withAuditInterval(Duration.ZERO)
                            .withAdoptionGrace(Duration.ZERO)
                            .withRetryDelay(Duration.ofHours(1)));
            engine.register(kind);
            engine.start();
            settle();
            for (int i = 0; i < POLICIES; i++) {
                engine.submit(kind, List.of(policy(random, i, network.nodes().size())));
            }
            settle();
        }

        void change(Function<Link, UnaryOperator<Link>> how) {
            inventory.set(changed(random, inventory.snapshot(), how));
            settle();
        }

        void drained(Map<String, Overload> nodes) {
            inventory.overloads(nodes);
            settle();
        }

        /** Is true if a plan depends on a link from a drained node. */
        boolean overDrained(Plan plan) {
            Network network = inventory.snapshot();
            return network.links().stream()
                    .filter(link -> network.drained().contains(link.from().node()))
                    .anyMatch(link -> plan.dependsOn().names().contains(link.id()));
        }

        List<IntentStatus<Policy>> all() {
            return engine.list(kind);
        }

        /** The ids of the links that are down. */
        Set<String> down() {
            return inventory.snapshot().links().stream()
                    .filter(link -> !link.up())
                    .map(Link::id)
                    .collect(Collectors.toSet());
        }

        Plan anew(IntentStatus<Policy> status) {
            return kind.compile(status.intent(), engine.context());
        }

        private void settle() {
            try {
                engine.idle().get(60, TimeUnit.SECONDS);
            } catch (InterruptedException | ExecutionException | TimeoutException e) {
                throw new AssertionError("did not settle", e);
            }
        }

        @Override
        public void close() {
            engine.close();
        }
    }

    private static void isWhatItWouldBe(IntentStatus<Policy> status, Plan anew) {
        Plan plan = status.plan();
        assertThat(plan.problems()).isEqualTo(anew.problems());
        assertThat(plan.entries()).isEqualTo(anew.entries());
        assertThat(plan.warnings()).isEqualTo(anew.warnings());
        assertThat(plan.explanation()).isEqualTo(anew.explanation());
        assertThat(plan.dependsOn()).isEqualTo(anew.dependsOn());
    }

    private static Policy policy(Random random, int number, int size) {
        List<Waypoint> ends = RandomPolicyTest.path(random, size, 2);
        List<Candidate> paths = new ArrayList<>();
        for (int i = 0; i <= random.nextInt(2); i++) {
            Candidate.Choice choice = random.nextInt(3) == 0
                    ? new Candidate.Explicit(List.of(new WeightedHops(1, hops(random, ends, size))))
                    : RandomDynamicTest.dynamic(random);
            paths.add(new Candidate(200 - i, 0, choice));
        }
        Candidates form = new Candidates(
                ends.get(0), ends.get(1), paths, List.of(Endpoint.parse("2001:db8:" + number + "::/48")));
        return new Policy(Optional.of("p" + number), form, Decap.UDT, Optional.of(Family.IPV6), random.nextBoolean());
    }

    /** Loose hops and some strict ones, which end at the endpoint. */
    private static List<Hop> hops(Random random, List<Waypoint> ends, int size) {
        List<Hop> hops = new ArrayList<>();
        for (int i = random.nextInt(3); i > 0; i--) {
            hops.add(new Hop.ToNode(new Waypoint("n" + random.nextInt(size)), random.nextInt(4) > 0));
        }
        hops.add(new Hop.ToNode(ends.get(1), true));
        return hops;
    }

    /** Changes one to three links, both directions of each alike, as a failed fiber or an operator does. */
    private static Network changed(Random random, Network network, Function<Link, UnaryOperator<Link>> how) {
        Network changed = network;
        for (int i = 0; i <= random.nextInt(3); i++) {
            List<Link> links = changed.links();
            Link one = links.get(random.nextInt(links.size()));
            changed = with(changed, one.undirectedId(), how.apply(one));
        }
        return changed;
    }

    private static UnaryOperator<Link> better(Random random) {
        int less = random.nextInt(3);
        return switch (random.nextInt(4)) {
            case 0 -> link -> with(link, Math.max(1, link.igpMetric() - less), link.teMetric(), link.delayMicros());
            case 1 -> link -> with(link, link.igpMetric(), Math.max(1, link.teMetric() - less), link.delayMicros());
            case 2 -> link -> with(link, link.igpMetric(), link.teMetric(), Math.max(1, link.delayMicros() - less));
            default -> link -> link.withUp(true);
        };
    }

    private static UnaryOperator<Link> change(Random random, Link one) {
        int igp = 1 + random.nextInt(6);
        int te = 1 + random.nextInt(9);
        long delay = random.nextInt(9);
        return switch (random.nextInt(4)) {
            case 0 -> link -> with(link, igp, te, link.delayMicros());
            case 1 -> link -> with(link, link.igpMetric(), link.teMetric(), delay);
            default -> link -> link.withUp(!one.up());
        };
    }

    private static Link with(Link link, int igp, int te, long delay) {
        return new Link(
                link.from(), link.to(), igp, te, delay, link.mtuBytes(), link.srlgs(), link.affinities(), link.up());
    }

    private static Network with(Network network, String undirected, UnaryOperator<Link> change) {
        List<Link> links = network.links().stream()
                .map(link -> link.undirectedId().equals(undirected) ? change.apply(link) : link)
                .toList();
        return network.withLinks(links);
    }
}
