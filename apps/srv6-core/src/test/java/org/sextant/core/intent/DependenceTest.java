// SPDX-License-Identifier: Apache-2.0
package org.sextant.core.intent;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.DisplayNameGeneration;
import org.junit.jupiter.api.DisplayNameGenerator;
import org.junit.jupiter.api.Test;

@DisplayNameGeneration(DisplayNameGenerator.ReplaceUnderscores.class)
class DependenceTest {
    private final Dependence path = Dependence.on(List.of("c", "a", "a/1-c/1", "a"));

    @Test
    void a_plan_leans_on_what_it_names() {
        assertThat(path.leansOn(Set.of("a"))).isTrue();
        assertThat(path.leansOn(Set.of("b"))).isFalse();
        assertThat(path.leansOn(Set.of("b", "d", "e", "f", "a/1-c/1"))).isTrue();
        assertThat(path.leansOn(Set.of("b", "d", "e", "f", "g"))).isFalse();
        assertThat(path.leansOn(Set.of())).isFalse();
    }

    @Test
    void everything_is_every_loss_and_nothing_is_none() {
        assertThat(Dependence.EVERYTHING.leansOn(Set.of("a"))).isTrue();
        assertThat(Dependence.EVERYTHING.leansOn(Set.of())).isFalse();
        assertThat(Dependence.NOTHING.leansOn(Set.of("a"))).isFalse();
        assertThat(Dependence.on(List.of())).isSameAs(Dependence.NOTHING);
    }

    @Test
    void order_and_repetition_say_nothing() {
        assertThat(path).isEqualTo(Dependence.on(Set.of("a", "c", "a/1-c/1"))).hasToString("[a, a/1-c/1, c]");
        assertThat(path).isNotEqualTo(Dependence.EVERYTHING);
    }
}
