// SPDX-License-Identifier: Apache-2.0
package org.sextant.core.intent.engine;

import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;
import java.util.function.Consumer;
import org.sextant.core.intent.EngineEvent;
import org.sextant.core.port.Subscription;

/** Hands events to listeners on a thread of their own, so that a slow listener delays no node. */
final class Events {
    private final List<Consumer<EngineEvent>> listeners = new CopyOnWriteArrayList<>();
    private final Executor executor;

    Events(Executor executor) {
        this.executor = executor;
    }

    Subscription listen(Consumer<EngineEvent> listener) {
        listeners.add(listener);
        return () -> listeners.remove(listener);
    }

    void emit(EngineEvent event) {
        if (listeners.isEmpty()) {
            return;
        }
        try {
            executor.execute(() -> listeners.forEach(listener -> deliver(listener, event)));
        } catch (RejectedExecutionException closed) {
            return; // the engine is closing; there is no listener any more
        }
    }

    private static void deliver(Consumer<EngineEvent> listener, EngineEvent event) {
        try {
            listener.accept(event);
        } catch (RuntimeException | Error e) {
            // One listener's defect must not keep the event from the others; its thread's handler reports it.
            Thread thread = Thread.currentThread();
            thread.getUncaughtExceptionHandler().uncaughtException(thread, e);
        }
    }
}
