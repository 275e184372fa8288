// SPDX-License-Identifier: Apache-2.0
package org.sextant.core.replay;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.BufferedReader;
import java.io.StringReader;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.sextant.core.intent.EngineSettings;
import org.sextant.core.intent.IntentKind;
import org.sextant.core.intent.engine.EngineMessage;
import org.sextant.core.loop.Frame;
import org.sextant.core.loop.Recorder;

/** A run of an engine in memory, as the lines of its recording, with the kinds that it had. */
public final class RecordedRun implements Recorder {
    private final List<String> lines = new ArrayList<>();
    private final Map<String, IntentKind<?>> kinds = new LinkedHashMap<>();

    @Override
    public synchronized void handled(Frame frame) {
        lines.add(RecordedFrame.encode(frame).toString());
        if (frame.message() instanceof EngineMessage.KindRegistered registered) {
            kinds.put(registered.kind().name(), registered.kind());
        }
    }

    public synchronized List<String> lines() {
        return List.copyOf(lines);
    }

    /** Repeats the run, and compares each call with the one that was recorded. */
    public void requireSameDecisions(EngineSettings settings) {
        try (Replay replay = new Replay(settings, List.copyOf(kinds.values()));
                RecordingReader recording = recording(lines())) {
            Replay.Result result = replay.replay(recording);
            assertThat(result.divergence()).isEmpty();
            assertThat(result.cut()).isEmpty();
            assertThat(result.frames()).isEqualTo(lines().size());
        }
    }

    static RecordingReader recording(List<String> lines) {
        return new RecordingReader(new BufferedReader(new StringReader(String.join("\n", lines))));
    }
}
