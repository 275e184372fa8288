// SPDX-License-Identifier: Apache-2.0
package org.sextant.northbound.replay;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.PrintStream;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.sextant.core.intent.EngineSettings;
import org.sextant.core.intent.IntentKind;
import org.sextant.core.intent.IntentState;
import org.sextant.core.provision.ProtectionKind;
import org.sextant.core.provision.Provisioning;
import org.sextant.core.replay.RecordingReader;
import org.sextant.core.replay.Replay;
import org.sextant.kit.app.SrApp;

/** Repeats a recording of a controller's engine, and prints the result as a JSON object. */
public final class ReplayCommand {
    private ReplayCommand() {}

    /**
     * Exits with 0 if the recording could be read, whatever the result, and with 1 if it could not.
     *
     * @param arguments the file of the recording, and the classes of the apps that the controller had
     */
    public static void main(String[] arguments) throws ReflectiveOperationException {
        System.exit(run(Path.of(arguments[0]), kinds(List.of(arguments).subList(1, arguments.length)), System.out));
    }

    static int run(Path file, List<IntentKind<?>> kinds, PrintStream out) {
        try (RecordingReader recording = RecordingReader.of(file);
                Replay replay = new Replay(EngineSettings.DEFAULT, kinds)) {
            out.println(json(replay.replay(recording), replay, kinds));
            return 0;
        } catch (UncheckedIOException e) {
            System.err.println(file + " cannot be read: " + e.getMessage());
            return 1;
        }
    }

    private static List<IntentKind<?>> kinds(List<String> apps) throws ReflectiveOperationException {
        List<IntentKind<?>> kinds = new ArrayList<>(List.of(new Provisioning(), new ProtectionKind()));
        for (String name : apps) {
            SrApp<?> app = Class.forName(name)
                    .asSubclass(SrApp.class)
                    .getDeclaredConstructor()
                    .newInstance();
            kinds.addAll(app.kinds());
        }
        return List.copyOf(kinds);
    }

    private static ObjectNode json(Replay.Result result, Replay replay, List<IntentKind<?>> kinds) {
        ObjectNode json = JsonNodeFactory.instance.objectNode().put("messages", result.frames());
        result.divergence()
                .ifPresent(divergence -> json.putObject("divergence")
                        .put("number", divergence.frame())
                        .put("message", divergence.message())
                        .put("text", divergence.text()));
        result.cut().ifPresent(cut -> json.put("cut", cut));
        ObjectNode intents = json.putObject("intents");
        for (IntentKind<?> kind : kinds) {
            ObjectNode states = JsonNodeFactory.instance.objectNode();
            for (IntentState state : IntentState.values()) {
                long count = replay.intents().list(kind).stream()
                        .filter(status -> status.state() == state)
                        .count();
                if (count > 0) {
                    states.put(state.name(), count);
                }
            }
            if (!states.isEmpty()) {
                intents.set(kind.name(), states);
            }
        }
        return json;
    }
}
