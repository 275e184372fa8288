// SPDX-License-Identifier: Apache-2.0
package org.sextant.mobile.session;

import static org.assertj.core.api.Assertions.assertThat;
import static org.sextant.mobile.Mobile.anchored;

import java.time.Duration;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.DisplayNameGeneration;
import org.junit.jupiter.api.DisplayNameGenerator;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.sextant.core.intent.IntentState;

/** A hundred thousand sessions of one slice. The bounds are far above the measured values, and below harmful ones. */
@Timeout(300)
@DisplayNameGeneration(DisplayNameGenerator.ReplaceUnderscores.class)
@Tag("slow")
class ScaleTest {
    private static final int MANY = 100_000;
    private static final String VIA = ", 'mode': 'enhanced', 'uplink': {'hops': [{'node': '%s', 'loose': true}]}";

    @Test
    void a_hundred_thousand_sessions_in_one_post_and_another_path_for_all_of_them() {
        try (Sessions sessions = new Sessions()) {
            sessions.slice(anchored(String.format(VIA, "p7")));
            String all = IntStream.range(0, MANY).mapToObj(Sessions::json).collect(Collectors.joining(",", "[", "]"));
            Duration posted = time(() -> {
                assertThat(sessions.client
                                .post("slices/s/sessions", all)
                                .json()
                                .get("rejected")
                                .intValue())
                        .isZero();
                sessions.settle();
            });
            assertThat(sessions.all()).hasSize(MANY).allMatch(one -> one.state() == IntentState.INSTALLED);
            sessions.dataPlane.forgetLog();
            Duration moved = time(() -> {
                sessions.slice(anchored(String.format(VIA, "v5")));
                sessions.settle();
            });
            assertThat(sessions.dataPlane.log()).hasSizeLessThan(20);
            System.out.printf(
                    "%d sessions: posted in %d ms, another path in %d ms%n", MANY, posted.toMillis(), moved.toMillis());
            assertThat(posted).isLessThan(Duration.ofMinutes(2));
            assertThat(moved).isLessThan(Duration.ofSeconds(3));
        }
    }

    private static Duration time(Runnable what) {
        long start = System.nanoTime();
        what.run();
        return Duration.ofNanos(System.nanoTime() - start);
    }
}
