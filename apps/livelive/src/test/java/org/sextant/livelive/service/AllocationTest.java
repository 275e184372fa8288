// SPDX-License-Identifier: Apache-2.0
package org.sextant.livelive.service;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.Optional;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.sextant.core.ProblemException;
import org.sextant.core.fake.FakeStore;
import org.sextant.livelive.Numbers;

class AllocationTest {

    @Test
    void windows_and_groups_are_given_in_turn_so_that_one_that_was_in_use_rests() {
        Allocation allocation = new Allocation(new Turn(65534, 62));
        assertThat(Stream.of("e2", "e2", "e2").map(allocation::next))
                .containsExactly(new Numbers(65534, 62), new Numbers(65535, 63), new Numbers(1, 0));
        assertThat(allocation.turn()).isEqualTo(new Turn(2, 1));
    }

    @Test
    void a_node_ends_64_flows_and_no_more() {
        Allocation allocation = new Allocation(Turn.FIRST);
        for (int i = 0; i < 64; i++) {
            assertThat(allocation.next("e2")).isEqualTo(new Numbers(i + 1, i));
        }
        assertThatThrownBy(() -> allocation.next("e2"))
                .isInstanceOf(ProblemException.class)
                .hasMessageContaining("64 flows end at e2 already");
        assertThat(allocation.next("e1")).isEqualTo(new Numbers(65, 0));
    }

    @Test
    void what_is_taken_is_left_out() {
        Allocation allocation = new Allocation(Turn.FIRST);
        allocation.take(new Numbers(1, 0), Optional.empty());
        allocation.take(new Numbers(3, 2), Optional.of("e2"));
        assertThat(Stream.of("e2", "e2").map(allocation::next)).containsExactly(new Numbers(2, 1), new Numbers(4, 3));
        assertThat(allocation.taken(new Numbers(9, 2), Optional.of("e2"))).isTrue();
        assertThat(allocation.taken(new Numbers(9, 2), Optional.of("e1"))).isFalse();
        assertThat(allocation.taken(new Numbers(3, 9), Optional.empty())).isTrue();
    }

    @Test
    void the_turn_outlives_the_controller() {
        FakeStore store = new FakeStore();
        assertThat(Turn.of(store)).isEqualTo(Turn.FIRST);
        new Turn(300, 17).keep(store);
        assertThat(Turn.of(store)).isEqualTo(new Turn(300, 17));
    }
}
