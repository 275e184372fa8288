// SPDX-License-Identifier: Apache-2.0
package org.sextant.usid.explain;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.sextant.core.port.Capabilities;

class PipelinesTest {

    private static Capabilities of(String target) {
        return Pipelines.named("org.sextant." + target).orElseThrow();
    }

    @Test
    void a_linux_node_pushes_sixteen_segments_and_a_bmv2_node_six() {
        assertThat(of("linux").maxSegments()).isEqualTo(16);
        assertThat(of("bmv2").maxSegments()).isEqualTo(6);
    }

    @Test
    void what_only_a_default_entry_may_have_is_not_offered() {
        assertThat(of("linux").offers("my_sid", "un")).isTrue();
        assertThat(of("linux").offers("my_sid", "NoAction")).isFalse();
        assertThat(of("linux").offers("my_sid", "udt46")).isFalse();
    }

    @Test
    void nothing_is_known_of_a_pipeline_of_somebody_else() {
        assertThat(Pipelines.named("com.example.linux")).isEmpty();
        assertThat(Pipelines.named("org.sextant.none")).isEmpty();
    }
}
