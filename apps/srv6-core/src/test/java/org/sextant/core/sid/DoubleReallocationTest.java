// SPDX-License-Identifier: Apache-2.0
package org.sextant.core.sid;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.sextant.core.sid.DoubleReallocation.Mode;

/** The calculation against Table 1 of the paper on double reallocation and its section 3 on 32-byte cache lines. */
class DoubleReallocationTest {
    private static final DoubleReallocation SHORT_LINES = new DoubleReallocation(206, 14, 16, 32);

    @Test
    void table_1_for_x86_and_i40e() {
        assertThat(segments(DoubleReallocation.X86_I40E, Mode.ENCAP)).containsExactly(13, 17, 21, 25, 29, 33);
        assertThat(segments(DoubleReallocation.X86_I40E, Mode.RED)).containsExactly(14, 18, 22, 26, 30, 34);
        assertThat(segments(DoubleReallocation.X86_I40E, Mode.INLINE)).isEmpty();
    }

    @Test
    void lines_of_32_bytes_meet_it_twice_as_often() {
        assertThat(segments(SHORT_LINES, Mode.ENCAP)).containsExactly(11, 13, 15, 17, 19, 21, 23, 25, 27, 29, 31, 33);
        assertThat(segments(SHORT_LINES, Mode.RED)).containsExactly(12, 14, 16, 18, 20, 22, 24, 26, 28, 30, 32, 34);
    }

    @Test
    void the_header_of_21_segments_is_the_384_bytes_of_the_paper() {
        assertThat(DoubleReallocation.X86_I40E.verdict(Mode.ENCAP, 21))
                .isEqualTo(new DoubleReallocation.Verdict(384, true));
        assertThat(DoubleReallocation.X86_I40E.verdict(Mode.RED, 1))
                .isEqualTo(new DoubleReallocation.Verdict(40, false));
        assertThat(DoubleReallocation.X86_I40E.verdict(Mode.INLINE, 3))
                .isEqualTo(new DoubleReallocation.Verdict(72, false));
    }

    @Test
    void the_example_of_22_bytes_of_headroom() {
        // Section 3: 40 bytes onto 22 of headroom with 32-byte lines leaves 14, two less than the device needs.
        assertThat(new DoubleReallocation(22, 14, 16, 32).verdict(Mode.RED, 1).twice())
                .isTrue();
        assertThat(new DoubleReallocation(22, 16, 16, 32).verdict(Mode.RED, 1).twice())
                .isFalse();
    }

    @Test
    void a_cache_line_is_a_power_of_two() {
        assertThatThrownBy(() -> new DoubleReallocation(206, 14, 16, 48)).isInstanceOf(IllegalArgumentException.class);
    }

    private static List<Integer> segments(DoubleReallocation machine, Mode mode) {
        return IntStream.rangeClosed(1, 34)
                .filter(n -> machine.verdict(mode, n).twice())
                .boxed()
                .toList();
    }
}
