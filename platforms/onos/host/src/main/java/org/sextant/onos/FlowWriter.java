// SPDX-License-Identifier: Apache-2.0
package org.sextant.onos;

import java.time.Duration;
import java.util.Collection;
import java.util.HashSet;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.onosproject.net.flow.FlowRule;
import org.onosproject.net.flow.FlowRuleOperation;
import org.onosproject.net.flow.FlowRuleOperations;
import org.onosproject.net.flow.FlowRuleOperationsContext;
import org.onosproject.net.flow.FlowRuleService;
import org.sextant.core.port.NodeUnavailableException;

/** Hands rules to ONOS and waits for their results. */
final class FlowWriter {
    private final FlowRuleService flowRules;
    private final Duration patience;

    /** @param patience how long a write may take */
    FlowWriter(FlowRuleService flowRules, Duration patience) {
        this.flowRules = flowRules;
        this.patience = patience;
    }

    /**
     * @return those that failed
     * @throws NodeUnavailableException if ONOS does not say in time; some may be written
     */
    Set<FlowRule> write(String node, Collection<FlowRule> rules, boolean removing) {
        FlowRuleOperations.Builder operations = FlowRuleOperations.builder();
        rules.forEach(rule -> {
            if (removing) {
                operations.remove(rule);
            } else {
                operations.add(rule);
            }
        });
        Outcome outcome = new Outcome();
        flowRules.apply(operations.build(outcome));
        try {
            return outcome.failed.get(patience.toMillis(), TimeUnit.MILLISECONDS);
        } catch (TimeoutException e) {
            throw new NodeUnavailableException(
                    node, "ONOS did not finish writing within " + patience.toSeconds() + " s");
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new NodeUnavailableException(node, "interrupted");
        } catch (ExecutionException e) {
            throw new IllegalStateException(e.getCause());
        }
    }

    private static final class Outcome implements FlowRuleOperationsContext {
        private final CompletableFuture<Set<FlowRule>> failed = new CompletableFuture<>();

        @Override
        public void onSuccess(FlowRuleOperations done) {
            failed.complete(Set.of());
        }

        @Override
        public void onError(FlowRuleOperations undone) {
            Set<FlowRule> rules = new HashSet<>();
            undone.stages()
                    .forEach(
                            stage -> stage.stream().map(FlowRuleOperation::rule).forEach(rules::add));
            failed.complete(rules);
        }
    }
}
