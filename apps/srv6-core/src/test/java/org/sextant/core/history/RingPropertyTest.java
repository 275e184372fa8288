// SPDX-License-Identifier: Apache-2.0
package org.sextant.core.history;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import net.jqwik.api.constraints.LongRange;
import net.jqwik.api.constraints.Size;

class RingPropertyTest {

    @Property
    void whatever_is_told_the_ring_has_the_last_values_and_gaps_between_them(
            @ForAll @IntRange(min = 1, max = 12) int size,
            @ForAll @LongRange(min = -1000, max = 1000) long begin,
            @ForAll @Size(max = 40) List<@IntRange(min = -2, max = 15) Integer> strides) {
        Ring ring = new Ring(size);
        Map<Long, Float> told = new TreeMap<>();
        long last = begin;
        long step = begin;
        for (int i = 0; i < strides.size(); i++) {
            step += strides.get(i);
            ring.set(step, i + 0.5);
            if (told.isEmpty() || step >= last) {
                last = step;
                told.put(step, i + 0.5f);
            }
        }
        for (long asked = last - 20; asked <= last + 20; asked++) {
            boolean kept = asked > last - size && told.containsKey(asked);
            assertThat((Double) ring.at(asked)).isEqualTo((Double) (kept ? told.get(asked) : Double.NaN));
        }
    }
}
