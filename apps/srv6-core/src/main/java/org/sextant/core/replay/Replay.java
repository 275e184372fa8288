// SPDX-License-Identifier: Apache-2.0
package org.sextant.core.replay;

import java.lang.reflect.Proxy;
import java.util.Collection;
import java.util.Optional;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.sextant.core.intent.EngineSettings;
import org.sextant.core.intent.IntentKind;
import org.sextant.core.intent.Intents;
import org.sextant.core.intent.engine.IntentEngine;
import org.sextant.core.port.Coordination;
import org.sextant.core.port.DataPlane;
import org.sextant.core.port.Inventory;
import org.sextant.core.port.Store;
import org.sextant.core.port.Subscription;

/**
 * An engine that handles the messages of a recording again. It calls no port; its decisions are compared with those of the record.
 * Used by one thread.
 */
public final class Replay implements AutoCloseable {
    private final ReplayLoop loop;
    private final IntentEngine engine;
    private long handled;

    /**
     * @param settings of the engine that was recorded
     * @param kinds that were registered there
     */
    public Replay(EngineSettings settings, Collection<? extends IntentKind<?>> kinds) {
        loop = new ReplayLoop(
                new MessageCodec(kinds.stream().collect(Collectors.toMap(IntentKind::name, Function.identity()))));
        engine = new IntentEngine(
                new IntentEngine.Ports(
                        silent(Inventory.class),
                        silent(DataPlane.class),
                        silent(Store.class),
                        silent(Coordination.class)),
                settings,
                loop::connect);
    }

    /**
     * The first difference between a recording and its repetition.
     *
     * @param frame its number in the recording, from 1
     * @param message that was handled
     * @param text the recorded and the replayed decision
     */
    public record Divergence(long frame, String message, String text) {}

    /**
     * The result of repeating a recording.
     *
     * @param frames repeated, all with the same decisions
     * @param cut the reason for ending before the end of the file; empty if the recording is whole
     */
    public record Result(long frames, Optional<Divergence> divergence, Optional<String> cut) {}

    /** Repeats a recording until its end or the first difference. */
    public Result replay(RecordingReader recording) {
        while (recording.hasNext()) {
            RecordedFrame frame = recording.next();
            try {
                loop.replay(frame);
            } catch (DivergenceException | IllegalArgumentException e) {
                return new Result(
                        handled,
                        Optional.of(new Divergence(
                                handled + 1, frame.message().toString(), String.valueOf(e.getMessage()))),
                        Optional.empty());
            }
            handled++;
        }
        return new Result(handled, Optional.empty(), recording.cut());
    }

    /** Statuses after the last message that was repeated; it takes no requests. */
    public Intents intents() {
        return engine;
    }

    /** A port that is never called, and reports nothing. */
    private static <P> P silent(Class<P> port) {
        return port.cast(
                Proxy.newProxyInstance(port.getClassLoader(), new Class<?>[] {port}, (proxy, method, values) -> {
                    if (method.getReturnType() == Subscription.class) {
                        Subscription none = () -> {};
                        return none;
                    }
                    throw new IllegalStateException("a replayed engine does not call " + method.getName());
                }));
    }

    @Override
    public void close() {
        engine.release();
    }
}
