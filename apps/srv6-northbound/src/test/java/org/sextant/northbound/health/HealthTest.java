// SPDX-License-Identifier: Apache-2.0
package org.sextant.northbound.health;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.DisplayNameGeneration;
import org.junit.jupiter.api.DisplayNameGenerator.ReplaceUnderscores;
import org.junit.jupiter.api.Test;
import org.sextant.core.loop.EngineLoad;

@DisplayNameGeneration(ReplaceUnderscores.class)
class HealthTest {
    private static EngineLoad load(int waiting, long steps) {
        return new EngineLoad(waiting, List.of(steps, 0L, 0L, 0L, 0L, 0L), Duration.ZERO);
    }

    @Test
    void a_controller_with_all_its_parts_is_ready() {
        Health health = Health.of(new Health.Parts(true, true, true, Optional.empty(), List.of()));
        assertThat(health.view(true).toString()).isEqualTo("{\"live\":true,\"ready\":true,\"reasons\":[]}");
    }

    @Test
    void each_missing_part_is_a_reason() {
        Health health = Health.of(new Health.Parts(false, false, false, Optional.empty(), List.of("org.sextant.usid")));
        assertThat(health.live()).isTrue();
        assertThat(health.ready()).isFalse();
        assertThat(health.reasons())
                .containsExactly(
                        "the engine is not started",
                        "the users are not known yet: no login is possible",
                        "the audit log is not available: changes are refused",
                        "not started: org.sextant.usid");
        assertThat(health.view(false).toString()).isEqualTo("{\"live\":true,\"ready\":false}");
    }

    @Test
    void an_engine_without_progress_is_not_live() {
        Health health = Health.of(new Health.Parts(true, true, true, Optional.of(Duration.ofSeconds(400)), List.of()));
        assertThat(health.view(true).toString())
                .isEqualTo("{\"live\":false,\"ready\":false,"
                        + "\"reasons\":[\"the engine's thread has made no progress for 400 s\"]}");
    }

    @Test
    void a_thread_is_stuck_if_work_waits_and_no_step_ended_within_the_limit() {
        EngineProgress progress = new EngineProgress();
        long limit = EngineProgress.LIMIT.toNanos();
        assertThat(progress.stuck(load(3, 7), -limit)).isEmpty();
        assertThat(progress.stuck(load(3, 7), -1)).isEmpty();
        assertThat(progress.stuck(load(4, 7), 0)).contains(EngineProgress.LIMIT);
        assertThat(progress.stuck(load(4, 8), 1)).isEmpty();
        assertThat(progress.stuck(load(0, 8), limit)).isEmpty();
        assertThat(progress.stuck(load(1, 8), limit + 2)).isEmpty();
    }
}
