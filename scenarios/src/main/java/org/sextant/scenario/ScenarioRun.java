// SPDX-License-Identifier: Apache-2.0
package org.sextant.scenario;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;

/** One run of a scenario: the outcomes of its steps so far. Not for several threads. */
public final class ScenarioRun {
    /** Longer than any step of ours waits for its condition. */
    public static final Duration STEP_LIMIT = Duration.ofMinutes(3);

    private final Map<String, String> variables;
    private final Duration limit;
    private final Map<String, Boolean> succeeded = new HashMap<>();

    /** @param variables for {@code ${NAME}} in commands, conditions, and the environment of the commands */
    public ScenarioRun(Map<String, String> variables, Duration limit) {
        this.variables = Map.copyOf(variables);
        this.limit = limit;
    }

    /** The outcome of a step. */
    public sealed interface Outcome {
        record Success(String output) implements Outcome {}

        record Failure(String reason, String output) implements Outcome {}

        /** It was not run, and why. A step that is left out by its condition counts as succeeded for those behind it. */
        record Skipped(String reason) implements Outcome {}
    }

    /** Runs the next step; its requirements were run before. */
    public Outcome run(Step step) throws IOException, InterruptedException {
        Outcome outcome = tried(step);
        succeeded.put(step.name(), !(outcome instanceof Outcome.Failure) && !blocked(step));
        return outcome;
    }

    private Outcome tried(Step step) throws IOException, InterruptedException {
        for (Step.Condition condition : step.condition()) {
            if (variables.getOrDefault(condition.variable(), "").isEmpty() == condition.wanted()) {
                return new Outcome.Skipped((condition.wanted() ? "wants " : "not with ") + condition.variable());
            }
        }
        if (blocked(step)) {
            return new Outcome.Skipped("a step that it requires failed");
        }
        TimeUnit.SECONDS.sleep(step.delaySeconds());
        return execute(step);
    }

    private boolean blocked(Step step) {
        return step.requires().stream().anyMatch(one -> !one.soft() && !succeeded.getOrDefault(one.step(), false));
    }

    private Outcome execute(Step step) throws IOException, InterruptedException {
        Path output = Files.createTempFile("step", ".log");
        try {
            ProcessBuilder builder =
                    new ProcessBuilder(List.of("bash", "-c", Variables.expand(step.command(), variables)));
            builder.environment().putAll(variables);
            Process process = builder.redirectErrorStream(true)
                    .redirectOutput(output.toFile())
                    .start();
            process.getOutputStream().close();
            boolean ended = process.waitFor(limit.toMillis(), TimeUnit.MILLISECONDS);
            if (!ended) {
                process.descendants().forEach(ProcessHandle::destroyForcibly);
                process.destroyForcibly().waitFor();
            }
            String text = new String(Files.readAllBytes(output), StandardCharsets.UTF_8);
            if (!ended) {
                return new Outcome.Failure("it did not end within " + limit.toSeconds() + " s", text);
            }
            return judged(step, process.exitValue(), text);
        } finally {
            Files.delete(output);
        }
    }

    private static Outcome judged(Step step, int code, String output) {
        boolean good = switch (step.exit()) {
            case ZERO -> code == 0;
            case NOT_ZERO -> code != 0;
            case ANY -> true;
        };
        String wanted = step.exit() == Step.Exit.NOT_ZERO ? "another than 0" : "0";
        return good
                ? new Outcome.Success(output)
                : new Outcome.Failure("exit code " + code + ", not " + wanted, output);
    }
}
