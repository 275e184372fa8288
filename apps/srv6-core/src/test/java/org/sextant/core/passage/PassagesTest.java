// SPDX-License-Identifier: Apache-2.0
package org.sextant.core.passage;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.SortedSet;
import java.util.TreeSet;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.Combinators;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import org.junit.jupiter.api.DisplayNameGeneration;
import org.junit.jupiter.api.DisplayNameGenerator;
import org.junit.jupiter.api.Test;
import org.sextant.core.ip.IpAddress;
import org.sextant.core.ip.IpPrefix;
import org.sextant.core.ip.Ipv4;

/** Passages of several owners, and the forwarding loops that they form. */
@DisplayNameGeneration(DisplayNameGenerator.ReplaceUnderscores.class)
class PassagesTest {
    private final List<String> attached = new ArrayList<>();
    private final Passages<String> passages = new Passages<>((place, prefix) -> attached.stream()
            .filter(host -> host.startsWith(place.node() + " "))
            .map(host -> IpAddress.parse(host.substring(host.indexOf(' ') + 1)))
            .filter(prefix::contains)
            .toList());

    private static Passage steering(String from, String prefix, String... exits) {
        return new Passage(
                new Place(from, 0), Packets.to(IpPrefix.parse(prefix)), Passage.Rule.LONGEST_PREFIX, places(exits));
    }

    private static SortedSet<Place> places(String... nodes) {
        return Stream.of(nodes).map(node -> new Place(node, 0)).collect(Collectors.toCollection(TreeSet::new));
    }

    private static Passage flow(String from, String source, String destination, Integer port, String exit) {
        return new Passage(
                new Place(from, 0),
                new Packets(
                        IpPrefix.parse(source),
                        IpPrefix.parse(destination),
                        Optional.ofNullable(port).map(some -> 17),
                        Optional.empty(),
                        Optional.ofNullable(port)),
                Passage.Rule.BEFORE_ROUTES,
                places(exit));
    }

    /** The loop after adding the passage, as "owners: destination". */
    private String adding(String owner, Passage passage) {
        passages.add(owner, passage);
        return text(passages.circle(passage));
    }

    private static String text(Optional<PassageLoop<String>> circle) {
        return circle.map(found ->
                        found.steps().stream().map(PassageLoop.Step::owner).collect(Collectors.joining(" ")) + ": "
                                + found.destination())
                .orElse("");
    }

    @Test
    void what_comes_out_where_it_went_in_goes_round() {
        assertThat(adding("p", steering("l1", "fd00::12/128", "l1"))).isEqualTo("p: fd00::12");
    }

    @Test
    void what_another_leads_back_goes_round_whichever_came_first() {
        assertThat(adding("there", steering("l1", "fd00:1::/64", "l3"))).isEmpty();
        assertThat(adding("back", steering("l3", "fd00:1::/64", "l1"))).isEqualTo("back there: fd00:1::");
    }

    @Test
    void a_chain_ends() {
        assertThat(adding("one", steering("l1", "fd00:1::/64", "l3"))).isEmpty();
        assertThat(adding("two", steering("l3", "fd00:1::/64", "l5"))).isEmpty();
        assertThat(adding("three", steering("l5", "fd00:2::/64", "l1"))).isEmpty();
        assertThat(adding("four", steering("l5", "fd00:1:0:0:8000::/65", "l1")))
                .isEqualTo("four one two: fd00:1:0:0:8000::");
    }

    @Test
    void of_several_weighted_lists_one_that_leads_back_is_enough() {
        adding("there", steering("l1", "fd00:1::/64", "l3", "l4"));
        assertThat(adding("back", steering("l4", "fd00:1::/64", "l1"))).isEqualTo("back there: fd00:1::");
    }

    @Test
    void the_longer_prefix_takes_what_would_have_gone_round() {
        adding("there", steering("l1", "fd00:1::/64", "l3"));
        adding("away", steering("l3", "fd00:1::/64", "l5"));
        assertThat(adding("default", steering("l3", "::/0", "l1"))).isEmpty();
    }

    @Test
    void what_all_longer_prefixes_together_leave_nothing_to_is_harmless() {
        adding("there", steering("l1", "fd00:1::/64", "l3"));
        adding("low", steering("l3", "fd00:1::/65", "l5"));
        adding("high", steering("l3", "fd00:1:0:0:8000::/65", "l5"));
        assertThat(adding("default", steering("l3", "::/0", "l1"))).isEmpty();
    }

    @Test
    void what_is_attached_is_delivered_and_its_neighbours_go_round() {
        attached.add("l3 fd00:1::");
        adding("there", steering("l1", "fd00:1::/127", "l3"));
        assertThat(adding("back", steering("l3", "fd00:1::/64", "l1"))).isEqualTo("back there: fd00:1::1");
        attached.add("l3 fd00:1::1");
        assertThat(text(passages.circle(steering("l3", "fd00:1::/64", "l1")))).isEmpty();
    }

    @Test
    void a_steered_host_is_not_delivered_where_it_is_attached() {
        attached.add("l3 fd00:1::1");
        adding("there", steering("l1", "fd00:1::1/128", "l3"));
        assertThat(adding("back", steering("l3", "fd00:1::1/128", "l1"))).isEqualTo("back there: fd00:1::1");
    }

    @Test
    void what_is_removed_may_have_kept_others_from_going_round() {
        adding("default", steering("l1", "::/0", "l3"));
        adding("away", steering("l1", "fd00:1::/64", "l5"));
        assertThat(adding("back", steering("l3", "fd00:1::/64", "l1"))).isEmpty();
        Passage away = steering("l1", "fd00:1::/64", "l5");
        passages.remove("away", away);
        assertThat(text(passages.circle(away))).isEqualTo("default back: fd00:1::");
    }

    @Test
    void flows_go_round_with_policies_if_they_have_packets_in_common() {
        adding("flow", flow("l1", "::/0", "fd00:1::1/128", 5000, "l3"));
        assertThat(adding("other port", flow("l3", "::/0", "fd00:1::1/128", 6000, "l1")))
                .isEmpty();
        assertThat(adding("back", steering("l3", "fd00:1::/64", "l1"))).isEqualTo("back flow: fd00:1::1");
    }

    @Test
    void families_and_vrfs_are_apart() {
        adding("there", steering("l1", "0.0.0.0/0", "l3"));
        assertThat(adding("six", steering("l3", "::/0", "l1"))).isEmpty();
        Passage elsewhere = new Passage(
                new Place("l3", 7), Packets.to(IpPrefix.parse("0.0.0.0/0")), Passage.Rule.LONGEST_PREFIX, places("l1"));
        assertThat(adding("vrf", elsewhere)).isEmpty();
    }

    @Test
    void what_was_removed_does_not_count() {
        Passage there = steering("l1", "fd00:1::/64", "l3");
        adding("there", there);
        passages.remove("there", there);
        assertThat(adding("back", steering("l3", "fd00:1::/64", "l1"))).isEmpty();
    }

    @Test
    void the_whole_address_space_and_its_end_are_prefixes_like_others() {
        adding("there", steering("l1", "255.255.255.255/32", "l3"));
        assertThat(adding("back", steering("l3", "0.0.0.0/0", "l1"))).isEqualTo("back there: 255.255.255.255");
    }

    /** A network of four nodes and sixteen addresses, small enough to send every packet over every path. */
    @Property(tries = 3000)
    void it_goes_round_if_and_only_if_some_packet_does(
            @ForAll("networks") List<Passage> all, @ForAll("hosts") Set<String> hosts) {
        attached.clear();
        attached.addAll(hosts);
        Passages<String> index = new Passages<>((place, prefix) -> hosts.stream()
                .filter(host -> host.startsWith(place.node() + " "))
                .map(host -> IpAddress.parse(host.substring(host.indexOf(' ') + 1)))
                .filter(prefix::contains)
                .toList());
        for (int i = 0; i < all.size(); i++) {
            index.add("" + i, all.get(i));
        }
        boolean found = all.stream().anyMatch(passage -> index.circle(passage).isPresent());
        assertThat(found)
                .isEqualTo(IntStream.range(0, 16)
                        .anyMatch(address -> Stream.of("a", "b", "c", "d")
                                .anyMatch(node ->
                                        goesRound(all, hosts, new Place(node, 0), address, new ArrayList<>()))));
        all.forEach(passage -> index.circle(passage)
                .ifPresent(circle -> assertThat(circle.steps())
                        .allSatisfy(step -> assertThat(
                                        step.passage().packets().destination().contains(circle.destination()))
                                .isTrue())));
    }

    private static boolean goesRound(List<Passage> all, Set<String> hosts, Place at, int address, List<Place> before) {
        if (before.contains(at)) {
            return true;
        }
        before.add(at);
        IpAddress destination = new Ipv4(address);
        int longest = all.stream()
                .filter(passage -> passage.from().equals(at)
                        && passage.packets().destination().contains(destination))
                .mapToInt(passage -> passage.packets().destination().length())
                .max()
                .orElse(-1);
        boolean delivered = longest < 32 && hosts.contains(at.node() + " " + destination);
        boolean round = !delivered
                && all.stream()
                        .filter(passage -> passage.from().equals(at)
                                && passage.packets().destination().contains(destination)
                                && passage.packets().destination().length() == longest)
                        .flatMap(passage -> passage.exits().stream())
                        .anyMatch(exit -> goesRound(all, hosts, exit, address, before));
        before.remove(at);
        return round;
    }

    @Provide
    Arbitrary<List<Passage>> networks() {
        Arbitrary<String> node = Arbitraries.of("a", "b", "c", "d");
        Arbitrary<Passage> passage = Combinators.combine(
                        node,
                        Arbitraries.integers().between(28, 32),
                        Arbitraries.integers().between(0, 15),
                        node.set().ofMinSize(1).ofMaxSize(2))
                .as((from, length, address, exits) -> steering(
                        from, IpPrefix.of(new Ipv4(address), length).toString(), exits.toArray(String[]::new)));
        return passage.list().ofMinSize(1).ofMaxSize(12).uniqueElements(one -> one.from() + " " + one.packets());
    }

    @Provide
    Arbitrary<Set<String>> hosts() {
        return Combinators.combine(
                        Arbitraries.of("a", "b", "c", "d"),
                        Arbitraries.integers().between(0, 15))
                .as((node, address) -> node + " " + new Ipv4(address))
                .set()
                .ofMaxSize(6);
    }
}
