// SPDX-License-Identifier: Apache-2.0
package org.sextant.scenario;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.InstanceOfAssertFactories.type;

import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.DisplayNameGeneration;
import org.junit.jupiter.api.DisplayNameGenerator.ReplaceUnderscores;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.sextant.scenario.ScenarioRun.Outcome;
import org.sextant.scenario.Step.Condition;
import org.sextant.scenario.Step.Exit;
import org.sextant.scenario.Step.Requirement;

@DisplayNameGeneration(ReplaceUnderscores.class)
@Timeout(60)
class ScenarioRunTest {
    private final ScenarioRun run = new ScenarioRun(Map.of("WHO", "you", "EMPTY", ""), Duration.ofSeconds(20));

    private static Step step(String name, String command, Exit exit, Requirement... requires) {
        return new Step(name, command, exit, 0, Arrays.asList(requires), List.of());
    }

    @Test
    void variables_are_known_to_the_text_and_to_the_command() throws Exception {
        assertThat(run.run(step("A", "echo ${WHO} $WHO", Exit.ZERO))).isEqualTo(new Outcome.Success("you you\n"));
    }

    @Test
    void exit_codes_are_judged_as_the_step_says() throws Exception {
        assertThat(run.run(step("A", "exit 3", Exit.ZERO))).isEqualTo(new Outcome.Failure("exit code 3, not 0", ""));
        assertThat(run.run(step("B", "exit 3", Exit.NOT_ZERO))).isInstanceOf(Outcome.Success.class);
        assertThat(run.run(step("C", "true", Exit.NOT_ZERO))).isInstanceOf(Outcome.Failure.class);
        assertThat(run.run(step("D", "exit 3", Exit.ANY))).isInstanceOf(Outcome.Success.class);
    }

    @Test
    void behind_a_failure_only_what_requires_it_softly_runs() throws Exception {
        run.run(step("A", "false", Exit.ZERO));
        assertThat(run.run(step("B", "true", Exit.ZERO, new Requirement("A", false))))
                .isInstanceOf(Outcome.Skipped.class);
        assertThat(run.run(step("C", "true", Exit.ZERO, new Requirement("B", false))))
                .isInstanceOf(Outcome.Skipped.class);
        assertThat(run.run(step("D", "true", Exit.ZERO, new Requirement("C", true))))
                .isInstanceOf(Outcome.Success.class);
    }

    @Test
    void conditions_look_at_variables_and_what_they_leave_out_blocks_nothing() throws Exception {
        Step without = new Step("A", "false", Exit.ZERO, 0, List.of(), List.of(new Condition("EMPTY", true)));
        Step unless = new Step("B", "false", Exit.ZERO, 0, List.of(), List.of(new Condition("WHO", false)));
        assertThat(run.run(without)).isEqualTo(new Outcome.Skipped("wants EMPTY"));
        assertThat(run.run(unless)).isEqualTo(new Outcome.Skipped("not with WHO"));
        assertThat(run.run(step("C", "true", Exit.ZERO, new Requirement("A", false))))
                .isInstanceOf(Outcome.Success.class);
    }

    @Test
    void a_step_that_does_not_end_is_ended_and_what_it_said_is_kept() throws Exception {
        ScenarioRun impatient = new ScenarioRun(Map.of(), Duration.ofMillis(300));
        assertThat(impatient.run(step("A", "echo before; sleep 1000 & sleep 1000", Exit.ANY)))
                .asInstanceOf(type(Outcome.Failure.class))
                .satisfies(failure -> assertThat(failure.output()).startsWith("before\n"));
    }
}
