// SPDX-License-Identifier: Apache-2.0
package org.sextant.scenario;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** The steps of a scenario and of all it imports, in an order in which each comes after those that it requires. */
public record Scenario(String name, String description, List<Step> steps) {

    /** @throws IllegalArgumentException naming the step, for a requirement that is not there or goes in a circle */
    public Scenario {
        steps = sorted(steps);
    }

    /** Document order, but for steps that must wait for a later one. */
    private static List<Step> sorted(List<Step> steps) {
        Map<String, Step> byName = new LinkedHashMap<>();
        for (Step step : steps) {
            if (byName.put(step.name(), step) != null) {
                throw new IllegalArgumentException("two steps are called " + step.name());
            }
        }
        List<Step> order = new ArrayList<>();
        Set<String> placed = new HashSet<>();
        steps.forEach(step -> place(step, byName, placed, new HashSet<>(), order));
        return List.copyOf(order);
    }

    private static void place(
            Step step, Map<String, Step> byName, Set<String> placed, Set<String> waiting, List<Step> order) {
        if (placed.contains(step.name())) {
            return;
        }
        if (!waiting.add(step.name())) {
            throw new IllegalArgumentException("step " + step.name() + " requires itself, by way of others");
        }
        for (Step.Requirement requirement : step.requires()) {
            Step required = byName.get(requirement.step());
            if (required == null) {
                throw new IllegalArgumentException(
                        "step " + step.name() + " requires " + requirement.step() + ", which is nowhere");
            }
            place(required, byName, placed, waiting, order);
        }
        placed.add(step.name());
        order.add(step);
    }
}
