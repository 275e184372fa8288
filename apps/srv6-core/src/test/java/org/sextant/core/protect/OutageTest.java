// SPDX-License-Identifier: Apache-2.0
package org.sextant.core.protect;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import java.util.Random;
import java.util.Set;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import org.junit.jupiter.api.Test;
import org.sextant.core.net.Link;
import org.sextant.core.net.Network;
import org.sextant.core.net.Protection;
import org.sextant.core.protect.Outage.Fate;
import org.sextant.core.protect.Outage.Move;
import org.sextant.core.underlay.Underlay;

/** Predicts the effect of a lost link or node on packets. */
class OutageTest {
    private static final Protection LINK = new Protection(true, false, false);

    private static Nets square() {
        return new Nets().road("a", "b", 1).road("b", "c", 1).road("c", "d", 1).road("d", "a", 1);
    }

    private static Outage outage(Network network, String failed) {
        return new Outage(new Underlay(network), node -> true, failed);
    }

    private static List<String> told(Outage outage) {
        return outage.moves().stream()
                .map(move -> move.node() + "-" + move.destination() + " " + move.fate())
                .toList();
    }

    /** The worst of equally good paths counts: packets from c to a over b are repaired, those over d are untouched. */
    @Test
    void a_link_of_a_square_is_repaired_at_both_ends_or_shared_with_an_equal_one() {
        Outage outage = outage(square().with(LINK).network(), "a/1-b/1");
        assertThat(outage.lost()).containsExactly("a/1-b/1", "b/1-a/1");
        assertThat(told(outage)).containsExactly("a-b REPAIRED", "a-c EQUAL_LINKS", "b-a REPAIRED", "b-d EQUAL_LINKS");
        Move move = outage.move("a", "b").orElseThrow();
        assertThat(move.links()).extracting(Link::id).containsExactly("a/2-d/2", "c/1-b/2", "d/1-c/2");
        assertThat(move.before()).isEqualTo(1);
        assertThat(move.after()).isEqualTo(OptionalLong.of(3));
        assertThat(outage.pairs())
                .isEqualTo(Map.of(
                        Fate.UNTOUCHED, 6, Fate.EQUAL_LINKS, 2, Fate.REPAIRED, 4, Fate.DROPPED, 0, Fate.CUT_OFF, 0));
    }

    @Test
    void the_other_direction_is_the_same_link() {
        Network network = square().with(LINK).network();
        assertThat(told(outage(network, "b/1-a/1"))).isEqualTo(told(outage(network, "a/1-b/1")));
        assertThat(Outage.knows(network, "b/1-a/1")).isTrue();
        assertThat(Outage.knows(network, "a/1-c/1")).isFalse();
    }

    @Test
    void without_protection_or_where_no_data_plane_keeps_it_packets_are_dropped() {
        assertThat(told(outage(square().with(Protection.NONE).network(), "a/1-b/1")))
                .contains("a-b DROPPED");
        Outage unkept = new Outage(new Underlay(square().with(LINK).network()), node -> false, "a/1-b/1");
        assertThat(told(unkept)).contains("a-b DROPPED", "a-c EQUAL_LINKS");
    }

    /**
     * a-b-c in a line and a backup path a-d-e-c: protection of links alone repairs only to b, which is the lost node.
     */
    @Test
    void a_lost_node_is_survived_by_repairs_that_avoid_it() {
        Nets nets = new Nets()
                .road("a", "b", 1)
                .road("b", "c", 1)
                .road("a", "d", 1)
                .road("d", "e", 1)
                .road("e", "c", 1);
        Outage both = outage(nets.with(new Protection(true, true, false)).network(), "b");
        assertThat(told(both)).contains("a-c REPAIRED", "c-a REPAIRED", "a-b CUT_OFF");
        assertThat(both.pairs().get(Fate.DROPPED)).isZero();
    }

    @Test
    void a_node_with_one_link_is_cut_off() {
        Outage outage = outage(square().road("d", "e", 1).with(LINK).network(), "d/3-e/1");
        assertThat(told(outage)).contains("d-e CUT_OFF", "e-a CUT_OFF");
        assertThat(outage.pairs().get(Fate.CUT_OFF)).isEqualTo(8);
    }

    @Test
    void a_way_has_room_for_what_its_smallest_link_takes_less_the_header() {
        Network network = square().with(LINK).network();
        Network narrow = new Network(
                network.nodes().values(),
                network.links().stream()
                        .map(link -> link.withMtuBytes(link.id().equals("d/1-c/2") ? 1500 : 9000))
                        .toList(),
                List.of());
        Move move = outage(narrow, "a/1-b/1").move("a", "b").orElseThrow();
        assertThat(RepairLinks.room(move.links(), 40)).hasValue(1460);
        assertThat(RepairLinks.room(
                        outage(network, "a/1-b/1").move("a", "b").orElseThrow().links(), 40))
                .isEmpty();
    }

    /** With full protection of links no packet is dropped, except to nodes that are cut off for good. */
    @Property(tries = 100)
    void where_links_are_protected_none_of_them_drops_a_packet(
            @ForAll long seed, @ForAll @IntRange(min = 2, max = 12) int size) {
        Random random = new Random(seed);
        Network network =
                Nets.random(seed, size, size + random.nextInt(size)).with(LINK).network();
        String failed =
                network.links().get(random.nextInt(network.links().size())).id();
        Outage outage = outage(network, failed);
        assertThat(outage.pairs().get(Fate.DROPPED)).isZero();
        assertThat(outage.pairs().values().stream().mapToInt(one -> one).sum()).isEqualTo(size * (size - 1));
        for (Move move : outage.moves()) {
            assertThat(move.fate() == Fate.CUT_OFF).isEqualTo(move.after().isEmpty());
            assertThat(Set.copyOf(move.links().stream().map(Link::id).toList()))
                    .doesNotContainAnyElementsOf(outage.lost());
        }
    }
}
