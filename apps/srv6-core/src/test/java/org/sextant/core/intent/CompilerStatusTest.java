// SPDX-License-Identifier: Apache-2.0
package org.sextant.core.intent;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import org.junit.jupiter.api.DisplayNameGeneration;
import org.junit.jupiter.api.DisplayNameGenerator;
import org.junit.jupiter.api.Test;

@DisplayNameGeneration(DisplayNameGenerator.ReplaceUnderscores.class)
class CompilerStatusTest {
    private static final CompilerVersions OLD = new CompilerVersions(1, 2);
    private static final CompilerVersions NEW = new CompilerVersions(1, 3);

    @Test
    void the_members_with_the_lowest_newest_version_hold_the_others_back() {
        assertThat(status(Map.of("c1", NEW, "c2", OLD, "c3", new CompilerVersions(2, 2)))
                        .heldBackBy())
                .containsExactly("c2", "c3");
    }

    @Test
    void members_with_the_same_newest_version_hold_none_back_before_it_is_in_force() {
        assertThat(status(Map.of("c1", NEW, "c2", new CompilerVersions(2, 3))).heldBackBy())
                .isEmpty();
    }

    @Test
    void a_controller_without_a_cluster_is_not_held_back() {
        assertThat(CompilerStatus.single(NEW).heldBackBy()).isEmpty();
    }

    private static CompilerStatus status(Map<String, CompilerVersions> members) {
        return new CompilerStatus(2, NEW, new TreeMap<>(members), Optional.empty());
    }
}
