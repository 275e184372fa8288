// SPDX-License-Identifier: Apache-2.0
package org.sextant.livelive.path;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.sextant.livelive.path.Graphs.links;
import static org.sextant.livelive.path.Graphs.nodes;

import java.util.List;
import org.junit.jupiter.api.Test;
import org.sextant.core.net.Link;

class DisjointPathsTest {

    /** The paper's Figure 3 with three paths. */
    private static final List<Link> PAPER = links("a-p, p-b, a-q, q-b, a-r, r-b");

    @Test
    void the_papers_topology_has_as_many_disjoint_paths_as_middle_nodes() {
        assertThat(nodes(DisjointPaths.find(PAPER, "a", "b", 6, Disjointness.SRLG, false)))
                .containsExactly("a p b", "a q b", "a r b");
    }

    /** The classic trap: the shortest path a b c d excludes every second one; a greedy search finds one path only. */
    @Test
    void a_second_path_may_move_the_first_out_of_the_way() {
        List<Link> trap = links("a-b 1, b-c 1, c-d 1, a-c 5, b-d 5");
        PathSet set = DisjointPaths.find(trap, "a", "d", 2, Disjointness.NODE, false);
        assertThat(nodes(set)).containsExactly("a b d", "a c d");
        assertThat(set.relaxed()).isEmpty();
    }

    @Test
    void link_disjoint_paths_may_meet_in_a_node() {
        List<Link> bow = links("a-b, a-c, b-m, c-m, m-d, m-e, d-z, e-z");
        assertThat(DisjointPaths.find(bow, "a", "z", 2, Disjointness.LINK, false)
                        .paths())
                .hasSize(2);
        assertThat(DisjointPaths.find(bow, "a", "z", 2, Disjointness.NODE, false)
                        .paths())
                .hasSize(1);
    }

    @Test
    void what_had_to_be_relaxed_is_named_with_who_shares_it() {
        List<Link> bow = links("a-b, a-c, b-m, c-m, m-d, m-e, d-z, e-z");
        PathSet set = DisjointPaths.find(bow, "a", "z", 2, Disjointness.NODE, true);
        assertThat(set.paths()).hasSize(2);
        assertThat(set.relaxed()).containsExactly(new SharedResource(Disjointness.NODE, "m", List.of(0, 1)));
    }

    @Test
    void a_bridge_is_shared_as_a_link_and_its_ends_as_nodes() {
        List<Link> bridge = links("a-b, a-c, b-m, c-m, m-n, n-d, n-e, d-z, e-z");
        PathSet set = DisjointPaths.find(bridge, "a", "z", 2, Disjointness.NODE, true);
        assertThat(set.relaxed())
                .extracting(sharing -> sharing.kind().spelling() + " " + sharing.what())
                .containsExactly("link m/3-n/1", "node m", "node n");
    }

    @Test
    void what_would_be_the_same_path_again_is_left_out() {
        PathSet set = DisjointPaths.find(links("a-b, b-c"), "a", "c", 3, Disjointness.NODE, true);
        assertThat(nodes(set)).containsExactly("a b c");
        assertThat(set.relaxed()).isEmpty();
    }

    /** Two links fail, one on each side, and one path is left, unlike with the choice that uses pairs twice. */
    @Test
    void what_must_share_is_different_as_long_as_the_network_has_another_path() {
        List<Link> diamonds = links("a-b, a-c, b-m, c-m, m-d, m-e, d-z, e-z");
        assertThat(nodes(DisjointPaths.find(diamonds, "a", "z", 4, Disjointness.NODE, true)))
                .containsExactly("a b m d z", "a b m e z", "a c m d z", "a c m e z");
        List<Link> ladder = links("a-b, b-c, c-z, a-d, d-e, e-z, b-d, c-e");
        PathSet three = DisjointPaths.find(ladder, "a", "z", 3, Disjointness.LINK, true);
        assertThat(nodes(three)).containsExactly("a b c z", "a d e z", "a b c e z");
        assertThat(three.relaxed()).hasSize(3);
        assertThat(DisjointPaths.find(ladder, "a", "z", 6, Disjointness.NODE, true)
                        .paths())
                .hasSize(6);
    }

    @Test
    void links_of_one_duct_are_avoided_even_if_that_is_longer() {
        List<Link> ducts = links("a-b 1 srlg 7, b-z 1, a-c 1 srlg 7, c-z 1, a-d 9, d-z 9 srlg 8");
        PathSet set = DisjointPaths.find(ducts, "a", "z", 2, Disjointness.SRLG, false);
        assertThat(nodes(set)).containsExactly("a b z", "a d z");
        assertThat(nodes(DisjointPaths.find(ducts, "a", "z", 2, Disjointness.NODE, false)))
                .containsExactly("a b z", "a c z");
        PathSet three = DisjointPaths.find(ducts, "a", "z", 3, Disjointness.SRLG, true);
        assertThat(three.relaxed()).containsExactly(new SharedResource(Disjointness.SRLG, "7", List.of(0, 1)));
        assertThat(DisjointPaths.find(ducts, "a", "z", 3, Disjointness.SRLG, false)
                        .paths())
                .hasSize(2);
    }

    @Test
    void parallel_links_are_two_paths_for_links_and_none_for_nodes_between() {
        assertThat(DisjointPaths.find(links("a-b, a-b"), "a", "b", 2, Disjointness.NODE, false)
                        .paths())
                .hasSize(2);
    }

    @Test
    void no_path_is_an_empty_set_and_no_question_is_refused() {
        assertThat(DisjointPaths.find(links("a-b, c-d"), "a", "d", 2, Disjointness.LINK, true)
                        .paths())
                .isEmpty();
        assertThatThrownBy(() -> DisjointPaths.find(PAPER, "a", "a", 2, Disjointness.LINK, true))
                .isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> DisjointPaths.find(PAPER, "a", "b", 7, Disjointness.LINK, true))
                .isInstanceOf(IllegalArgumentException.class);
    }
}
