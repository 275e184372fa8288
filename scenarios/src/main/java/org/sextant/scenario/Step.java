// SPDX-License-Identifier: Apache-2.0
package org.sextant.scenario;

import java.util.List;
import java.util.Objects;

/**
 * One command of a scenario.
 *
 * @param name unique in the scenario and its imports
 * @param command for the shell, with {@code ${NAME}} for variables
 * @param exit which exit codes count as success
 * @param delaySeconds waited before the command starts
 * @param requires steps that must end before this one starts, those of its groups included
 * @param condition variables that decide whether the step takes part
 */
public record Step(
        String name,
        String command,
        Exit exit,
        int delaySeconds,
        List<Requirement> requires,
        List<Condition> condition) {

    public Step {
        Objects.requireNonNull(name);
        Objects.requireNonNull(command);
        Objects.requireNonNull(exit);
        requires = List.copyOf(requires);
        condition = List.copyOf(condition);
    }

    /** STC writes these as {@code env}: nothing, {@code !} and {@code ~}. */
    public enum Exit {
        ZERO,
        NOT_ZERO,
        ANY
    }

    /** Another step by name; a soft one ({@code ~name}) has to end, a hard one to succeed. */
    public record Requirement(String step, boolean soft) {}

    /** Holds if the variable is set and not empty; {@code unless} says the opposite. */
    public record Condition(String variable, boolean wanted) {}
}
