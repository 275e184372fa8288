// SPDX-License-Identifier: Apache-2.0
package org.sextant.core.intent;

import java.util.function.Consumer;
import org.sextant.core.loop.Commits;
import org.sextant.core.loop.EventLoop;
import org.sextant.core.port.Coordination;

/**
 * The parts that all rooms of the engine share.
 *
 * @param loop owns the state of all rooms
 * @param events any thread may emit one
 */
public record EngineRuntime(
        EventLoop loop,
        EngineSettings settings,
        Coordination coordination,
        Commits commits,
        Consumer<EngineEvent> events) {

    public void emit(EngineEvent event) {
        events.accept(event);
    }
}
