// SPDX-License-Identifier: Apache-2.0
package org.sextant.northbound.health;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * The health of the controller.
 *
 * @param live false if only a restart helps
 * @param reasons why the controller is not ready to serve requests, or not live; empty if it is ready
 */
public record Health(boolean live, List<String> reasons) {
    public Health {
        reasons = List.copyOf(reasons);
    }

    /**
     * The parts of the controller that a request needs.
     *
     * @param stuck how long the engine's thread made no progress; empty if it does, or has nothing to do
     * @param unstarted names of bundles that are not started yet
     */
    public record Parts(
            boolean users, boolean auditLog, boolean engine, Optional<Duration> stuck, List<String> unstarted) {
        public Parts {
            unstarted = List.copyOf(unstarted);
        }
    }

    /** Judges the parts. */
    public static Health of(Parts parts) {
        List<String> reasons = new ArrayList<>();
        parts.stuck()
                .ifPresent(stuck ->
                        reasons.add("the engine's thread has made no progress for " + stuck.toSeconds() + " s"));
        if (!parts.engine()) {
            reasons.add("the engine is not started");
        }
        if (!parts.users()) {
            reasons.add("the users are not known yet: no login is possible");
        }
        if (!parts.auditLog()) {
            reasons.add("the audit log is not available: changes are refused");
        }
        if (!parts.unstarted().isEmpty()) {
            reasons.add("not started: " + String.join(", ", parts.unstarted()));
        }
        return new Health(parts.stuck().isEmpty(), reasons);
    }

    /** True if requests are served. */
    public boolean ready() {
        return live && reasons.isEmpty();
    }

    /** @param detailed whether the reasons are shown, too */
    public ObjectNode view(boolean detailed) {
        ObjectNode view =
                JsonNodeFactory.instance.objectNode().put("live", live).put("ready", ready());
        if (detailed) {
            reasons.forEach(view.putArray("reasons")::add);
        }
        return view;
    }
}
