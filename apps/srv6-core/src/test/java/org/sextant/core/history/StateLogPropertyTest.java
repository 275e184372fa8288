// SPDX-License-Identifier: Apache-2.0
package org.sextant.core.history;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;

class StateLogPropertyTest {

    @Property
    void what_is_told_of_a_moment_is_what_was(@ForAll long seed, @ForAll @IntRange(min = 1, max = 60) int room) {
        Random random = new Random(seed);
        StateLog log = new StateLog(0, 5, room);
        Map<String, String> states = new TreeMap<>();
        Map<Long, Map<String, String>> was = new TreeMap<>();
        for (long moment = 1; moment < 100; moment++) {
            String thing = "link:" + random.nextInt(4);
            String state = List.of("UP", "DOWN", StateLog.GONE).get(random.nextInt(3));
            log.set(moment, thing, state);
            if (state.equals(StateLog.GONE)) {
                states.remove(thing);
            } else {
                states.put(thing, state);
            }
            was.put(moment, new TreeMap<>(states));
        }
        was.forEach((moment, then) ->
                log.at(moment).ifPresent(told -> assertThat(told).isEqualTo(then)));
        assertThat(log.at(99)).isPresent();
    }
}
