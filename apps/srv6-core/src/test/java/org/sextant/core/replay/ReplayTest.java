// SPDX-License-Identifier: Apache-2.0
package org.sextant.core.replay;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayNameGeneration;
import org.junit.jupiter.api.DisplayNameGenerator.ReplaceUnderscores;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.sextant.core.fake.FakeCoordination;
import org.sextant.core.fake.FakeDataPlane;
import org.sextant.core.fake.FakeInventory;
import org.sextant.core.fake.FakeStore;
import org.sextant.core.intent.EngineSettings;
import org.sextant.core.intent.IntentState;
import org.sextant.core.intent.Intents;
import org.sextant.core.intent.engine.IntentEngine;
import org.sextant.core.loop.EngineThread;
import org.sextant.core.loop.Frame;
import org.sextant.core.loop.Message;
import org.sextant.core.loop.Recorder;
import org.sextant.core.net.Network;
import org.sextant.core.net.Overload;
import org.sextant.core.provision.Fig4;
import org.sextant.core.provision.ProtectionKind;
import org.sextant.core.provision.Provisioning;

/** The network of Figure 4 with its routes and backup paths, of which one node hangs and is lost: recorded and repeated. */
@DisplayNameGeneration(ReplaceUnderscores.class)
class ReplayTest {
    private static final EngineSettings SETTINGS = EngineSettings.DEFAULT
            .withAuditInterval(Duration.ZERO)
            .withSilence(Duration.ofMillis(50))
            .withRetryDelay(Duration.ofMillis(20));

    private final Provisioning routes = new Provisioning();
    private final ProtectionKind repairs = new ProtectionKind();
    private final RecordedRun run = new RecordedRun();
    private List<IntentState> states = List.of();

    @BeforeEach
    void record() throws Exception {
        states = record(run);
    }

    private List<IntentState> record(Recorder recorder) throws Exception {
        FakeInventory inventory = new FakeInventory(Fig4.CONNECTED);
        FakeDataPlane dataPlane = new FakeDataPlane();
        try (IntentEngine engine = new IntentEngine(
                new IntentEngine.Ports(inventory, dataPlane, new FakeStore(), new FakeCoordination()),
                SETTINGS,
                EngineThread.factory(SETTINGS.clock(), Optional.of(recorder)))) {
            engine.register(routes);
            engine.register(repairs);
            engine.start();
            Fig4.CONNECTED.nodes().keySet().forEach(dataPlane::connect);
            engine.idle().get(20, TimeUnit.SECONDS);
            dataPlane.hold("p7");
            inventory.link("l2", "l3", false);
            Thread.sleep(120); // the silence of the node is over
            dataPlane.release("p7");
            engine.idle().get(20, TimeUnit.SECONDS);
            dataPlane.disconnect("l1", "it was switched off");
            inventory.link("l2", "l3", true);
            engine.idle().get(20, TimeUnit.SECONDS);
            return states(engine);
        }
    }

    private List<IntentState> states(Intents intents) {
        List<IntentState> states = new ArrayList<>();
        intents.list(routes).forEach(status -> states.add(status.state()));
        intents.list(repairs).forEach(status -> states.add(status.state()));
        return states;
    }

    private Replay.Result replay(List<String> lines) {
        try (Replay replay = new Replay(SETTINGS, List.of(routes, repairs));
                RecordingReader recording = RecordedRun.recording(lines)) {
            return replay.replay(recording);
        }
    }

    @Test
    void the_same_messages_lead_to_the_same_calls_and_states() {
        assertThat(run.lines())
                .anyMatch(line -> line.contains("\"call\":\"write p7#"))
                .hasSizeGreaterThan(30);
        try (Replay replay = new Replay(SETTINGS, List.of(routes, repairs));
                RecordingReader recording = RecordedRun.recording(run.lines())) {
            assertThat(replay.replay(recording))
                    .isEqualTo(new Replay.Result(run.lines().size(), Optional.empty(), Optional.empty()));
            assertThat(states(replay.intents())).isNotEmpty().isEqualTo(states);
        }
    }

    @Test
    void a_message_that_is_missing_is_found_by_what_follows_from_it() {
        List<String> lines = new ArrayList<>(run.lines());
        int network = lines.indexOf(lines.stream()
                .filter(line -> line.contains("NetworkChanged"))
                .findFirst()
                .orElseThrow());
        lines.remove(network);
        Replay.Result result = replay(lines);
        assertThat(result.divergence()).get().satisfies(divergence -> {
            assertThat(divergence.frame()).isGreaterThan(network);
            assertThat(divergence.text()).startsWith("recorded: ").contains("; replayed: ");
        });
    }

    @Test
    void another_answer_of_a_node_is_found_by_what_follows_from_it() {
        List<String> lines = new ArrayList<>(run.lines());
        lines.replaceAll(line -> line.replaceFirst(
                "(\"AnswerReceived\",\"call\":\"write l1#1\",\"answer\":).*?,\"observed\"",
                "$1{\"failure\":{\"@\":\"NodeUnavailableException\",\"message\":\"it is off\"}}},\"observed\""));
        assertThat(replay(lines).divergence()).isPresent();
    }

    @Test
    void a_recording_that_was_cut_short_is_repeated_as_far_as_it_goes() {
        List<String> lines = new ArrayList<>(run.lines().subList(0, 21));
        lines.set(20, lines.get(20).substring(0, 40));
        Replay.Result result = replay(lines);
        assertThat(result.frames()).isEqualTo(20);
        assertThat(result.divergence()).isEmpty();
        assertThat(result.cut()).get().asString().startsWith("line 21 is no frame: ");
    }

    @Test
    void a_kind_that_is_not_there_is_named() {
        try (Replay replay = new Replay(SETTINGS, List.of(repairs));
                RecordingReader recording = RecordedRun.recording(run.lines())) {
            assertThat(replay.replay(recording).divergence())
                    .get()
                    .satisfies(divergence ->
                            assertThat(divergence.text()).isEqualTo("no app here has the kind " + routes.name()));
        }
    }

    @Test
    void a_network_is_as_it_was() {
        Network.Parts parts = Fig4.CONNECTED.parts();
        Instant since = Instant.parse("2026-11-23T06:43:00Z");
        Network network = Network.of(new Network.Parts(
                parts.nodes(),
                parts.links(),
                parts.hosts(),
                parts.rules(),
                new TreeMap<>(Map.of(parts.links().get(0).id(), since)),
                new TreeMap<>(Map.of("l1", new Overload(since, true)))));
        assertThat(network).isNotEqualTo(Fig4.CONNECTED);
        assertThat(RecordCodec.decode(RecordCodec.encode(network), Network.class))
                .isEqualTo(network);
    }

    @Test
    void a_file_has_the_recording(@TempDir Path folder) throws Exception {
        Path file = folder.resolve("recording");
        LinkedBlockingQueue<String> ended = new LinkedBlockingQueue<>();
        try (RecordingWriter writer = new RecordingWriter(file, 100_000_000, ended::add)) {
            states = record(writer);
        }
        try (Replay replay = new Replay(SETTINGS, List.of(routes, repairs));
                RecordingReader recording = RecordingReader.of(file)) {
            Replay.Result result = replay.replay(recording);
            assertThat(result.divergence()).isEmpty();
            assertThat(result.frames()).isEqualTo(Files.readAllLines(file).size());
            assertThat(states(replay.intents())).isEqualTo(states);
        }
        assertThat(ended).isEmpty();
    }

    @Test
    void a_recording_ends_when_it_is_as_long_as_it_may_be(@TempDir Path folder) throws Exception {
        Path file = folder.resolve("recording");
        LinkedBlockingQueue<String> ended = new LinkedBlockingQueue<>();
        try (RecordingWriter writer = new RecordingWriter(file, 500, ended::add)) {
            for (int i = 0; i < 20; i++) {
                writer.handled(reaction());
            }
            assertThat(ended.poll(10, TimeUnit.SECONDS))
                    .isEqualTo("the recording of the engine has ended: it has 500 bytes");
            writer.handled(reaction());
        }
        assertThat(Files.size(file)).isBetween(200L, 500L);
    }

    @Test
    void a_full_disk_ends_the_recording_and_nothing_else() throws IOException, InterruptedException {
        LinkedBlockingQueue<String> ended = new LinkedBlockingQueue<>();
        try (RecordingWriter writer = new RecordingWriter(Path.of("/dev/full"), 100_000_000, ended::add)) {
            writer.handled(reaction());
            assertThat(ended.poll(10, TimeUnit.SECONDS)).startsWith("the recording of the engine has ended: ");
        }
    }

    private static Frame reaction() {
        return new Frame(
                new Frame.Moment(SETTINGS.clock().instant(), 1),
                new Message.Reaction(),
                List.of(),
                List.of(),
                List.of());
    }
}
