// SPDX-License-Identifier: Apache-2.0
package org.sextant.livelive.service;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.sextant.core.ProblemException;
import org.sextant.livelive.Numbers;

class AllocationTest {

    @Test
    void windows_are_given_in_turn_so_that_one_that_was_in_use_rests() {
        Allocation allocation = new Allocation(List.of(), 62);
        assertThat(Stream.of("e2", "e2", "e2").map(allocation::next).map(Numbers::window)).containsExactly(62, 63, 0);
        assertThat(allocation.nextWindow()).isEqualTo(1);
    }

    @Test
    void a_node_ends_64_flows_and_no_more() {
        Allocation allocation = new Allocation(List.of(), 0);
        for (int i = 0; i < 64; i++) {
            assertThat(allocation.next("e2")).isEqualTo(new Numbers(i + 1, i));
        }
        assertThatThrownBy(() -> allocation.next("e2"))
                .isInstanceOf(ProblemException.class)
                .hasMessageContaining("64 flows end at e2 already");
        assertThat(allocation.next("e1")).isEqualTo(new Numbers(65, 0));
    }
}
