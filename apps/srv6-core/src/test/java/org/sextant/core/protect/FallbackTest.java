// SPDX-License-Identifier: Apache-2.0
package org.sextant.core.protect;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import org.junit.jupiter.api.DisplayNameGeneration;
import org.junit.jupiter.api.DisplayNameGenerator;
import org.junit.jupiter.api.Test;
import org.sextant.core.net.Network;
import org.sextant.core.net.Protection;
import org.sextant.core.underlay.Underlay;

/** A repair that cannot avoid all requested risks avoids as many as it can, with a reason for each other one. */
@DisplayNameGeneration(DisplayNameGenerator.ReplaceUnderscores.class)
class FallbackTest {

    private static Guard guard(Network network, String node, String destination) {
        return new ProtectionPlanner(new Underlay(network))
                .of(network.nodes().get(node))
                .towards(destination)
                .orElseThrow();
    }

    private static Failure failure(Optional<String> node, Integer... srlgs) {
        return new Failure(new TreeSet<>(Set.of("a/1-b/1")), node, new TreeSet<>(List.of(srlgs)));
    }

    /** Around b the only path begins with a link of risk 7; without risk 7 the only path is over b. */
    @Test
    void a_node_and_a_risk_that_cannot_be_avoided_together() {
        Network network = new Nets()
                .road("a", "b", 1, 7)
                .road("b", "c", 1)
                .road("a", "d", 2, 7)
                .road("d", "c", 2)
                .road("a", "e", 3)
                .road("e", "b", 3)
                .network();
        Guard guard = guard(network, "a", "c");
        assertThat(guard.failure()).contains(failure(Optional.empty(), 7));
        assertThat(guard.covers()).isEqualTo(new Protection(true, false, true));
        assertThat(guard.gaps()).containsExactly(new Gap(Gap.What.NODE, Gap.Why.TOGETHER));
    }

    @Test
    void of_two_risks_the_one_that_can_be_avoided_is() {
        Network network = new Nets()
                .road("a", "b", 1, 5, 9)
                .road("a", "d", 1, 5)
                .road("d", "b", 1)
                .network();
        Guard guard = guard(network, "a", "b");
        assertThat(guard.failure()).contains(failure(Optional.empty(), 9));
        assertThat(guard.covers().srlg()).isFalse();
        assertThat(guard.gaps())
                .containsExactly(
                        new Gap(Gap.What.NODE, Gap.Why.DESTINATION),
                        new Gap(Gap.What.SRLG, Gap.Why.CUT, new TreeSet<>(Set.of(5))));
    }

    @Test
    void of_two_risks_that_exclude_each_other_the_lower_number_is_avoided() {
        Network network = new Nets()
                .road("a", "b", 1, 5, 9)
                .road("a", "d", 1, 5)
                .road("d", "b", 1)
                .road("a", "e", 1, 9)
                .road("e", "b", 1)
                .network();
        Guard guard = guard(network, "a", "b");
        assertThat(guard.failure()).contains(failure(Optional.empty(), 5));
        assertThat(guard.gaps()).contains(new Gap(Gap.What.SRLG, Gap.Why.TOGETHER, new TreeSet<>(Set.of(9))));
    }

    /** Without risk 5 the path over d is left, without the node and risk 9 together that over e. */
    @Test
    void more_risks_go_before_fewer() {
        Network network = new Nets()
                .road("a", "b", 1, 5, 9)
                .road("b", "c", 1)
                .road("a", "d", 1, 9)
                .road("d", "b", 1)
                .road("a", "e", 1, 5)
                .road("e", "c", 5)
                .network();
        Guard guard = guard(network, "a", "c");
        assertThat(guard.failure()).contains(failure(Optional.of("b"), 9));
        assertThat(guard.covers()).isEqualTo(new Protection(true, true, false));
        assertThat(guard.gaps()).containsExactly(new Gap(Gap.What.SRLG, Gap.Why.TOGETHER, new TreeSet<>(Set.of(5))));
    }

    @Test
    void fallbacks_are_tried_from_most_risks_to_none() {
        assertThat(failure(Optional.of("b"), 5, 9).milder())
                .containsExactly(
                        failure(Optional.of("b"), 5, 9),
                        failure(Optional.empty(), 5, 9),
                        failure(Optional.of("b"), 5),
                        failure(Optional.of("b"), 9),
                        failure(Optional.empty(), 5),
                        failure(Optional.empty(), 9),
                        failure(Optional.of("b")),
                        failure(Optional.empty()));
        Integer[] many = {1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11};
        List<Failure> milder = failure(Optional.of("b"), many).milder();
        assertThat(milder).hasSize(257).contains(failure(Optional.of("b"), 1, 2, 3, 4, 5, 6, 7));
    }
}
