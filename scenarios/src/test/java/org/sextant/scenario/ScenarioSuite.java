// SPDX-License-Identifier: Apache-2.0
package org.sextant.scenario;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Assertions;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.TestFactory;
import org.sextant.scenario.ScenarioRun.Outcome;

/**
 * Every step of srv6.xml as a test, against the controller that the environment names. Not run by Maven alone, which
 * has no lab: {@code ./sextant test scenarios} brings one up and calls this class.
 */
class ScenarioSuite {

    @TestFactory
    List<DynamicTest> steps() {
        Path folder = Path.of("").toAbsolutePath();
        Map<String, String> variables = new HashMap<>(System.getenv());
        variables.put("SRV6_SCENARIOS", folder.toString());
        variables.put("PATH", folder.resolve("bin") + ":" + variables.get("PATH"));
        Scenario scenario = ScenarioReader.read(folder.resolve("srv6.xml"), variables);
        assertThat(scenario.steps()).isNotEmpty();
        ScenarioRun run = new ScenarioRun(variables, ScenarioRun.STEP_LIMIT);
        return scenario.steps().stream()
                .map(step -> DynamicTest.dynamicTest(step.name(), () -> check(run, step)))
                .toList();
    }

    private static void check(ScenarioRun run, Step step) throws IOException, InterruptedException {
        Outcome outcome = run.run(step);
        if (outcome instanceof Outcome.Failure failure) {
            Assertions.fail(failure.reason() + ": " + step.command() + "\n" + failure.output());
        } else if (outcome instanceof Outcome.Skipped skipped) {
            Assumptions.abort(skipped.reason());
        }
    }
}
