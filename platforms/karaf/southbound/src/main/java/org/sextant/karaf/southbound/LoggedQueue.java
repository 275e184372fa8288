// SPDX-License-Identifier: Apache-2.0
package org.sextant.karaf.southbound;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;
import java.util.function.Consumer;
import org.sextant.core.port.FirewallTelemetry.Logged;

/**
 * Events of firewalls that were not taken yet, bounded: a flood of events costs the oldest of them, which are counted
 * with the next one of the same firewall, and no memory.
 */
final class LoggedQueue {
    static final int MOST = 1024;

    private final Executor thread;
    private final Consumer<Logged> listener;
    private final Deque<Logged> waiting = new ArrayDeque<>();
    private final Map<Firewall, Long> lost = new HashMap<>();
    private boolean running;

    private record Firewall(String node, int instance) {
        static Firewall of(Logged event) {
            return new Firewall(event.node(), event.instance());
        }
    }

    /** @param thread runs one task after the other */
    LoggedQueue(Executor thread, Consumer<Logged> listener) {
        this.thread = thread;
        this.listener = listener;
    }

    synchronized void put(Logged event) {
        if (waiting.size() == MOST) {
            Logged oldest = waiting.remove();
            lost.merge(Firewall.of(oldest), oldest.lost() + 1, Long::sum);
        }
        waiting.add(event);
        if (!running) {
            try {
                thread.execute(this::tell);
                running = true;
            } catch (RejectedExecutionException closing) {
                waiting.clear();
            }
        }
    }

    private synchronized Optional<Logged> next() {
        Logged event = waiting.poll();
        running = event != null;
        return Optional.ofNullable(event)
                .map(one -> one.withLost(
                        Optional.ofNullable(lost.remove(Firewall.of(one))).orElse(0L)));
    }

    private void tell() {
        for (Optional<Logged> event = next(); event.isPresent(); event = next()) {
            listener.accept(event.get());
        }
    }
}
