// SPDX-License-Identifier: Apache-2.0
package org.sextant.karaf.host.crash;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.Function;
import java.util.stream.Stream;
import org.h2.mvstore.MVStore;
import org.junit.jupiter.api.DisplayNameGeneration;
import org.junit.jupiter.api.DisplayNameGenerator.ReplaceUnderscores;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.sextant.karaf.host.crash.Disk.Crash;
import org.sextant.karaf.host.crash.Trace.Operation;
import org.sextant.karaf.host.store.SqliteStore;

/**
 * Builds the states that a crash can leave of a store's files from a recording of its writes, truncations and syncs, and opens
 * each twice: it must have its content after one of its steps, none earlier than acknowledged, both times the same.
 *
 * <p>{@code -Dsextant.crash.states=N} states of each kind of crash (400 without it), {@code -Dsextant.crash.seed=S}.
 */
@Tag("crash")
@DisplayNameGeneration(ReplaceUnderscores.class)
@Timeout(1800)
class CrashTest {
    private static final int STATES = Integer.getInteger("sextant.crash.states", 400);
    private static final long SEED = Long.getLong("sextant.crash.seed", System.nanoTime());
    private static final int STEPS = 300;
    private static final int FEW_STEPS = 60;
    private static final int PLANTED_STATES = 200;
    private static final Set<String> NO_PART_OF_IT = Set.of("acks", "sextant.lock");

    @TempDir
    private Path scratch;

    /** REFUSED: does not open; LOST: an acknowledged step is missing; HALF: no step's content; UNSTEADY: two openings differ. */
    private enum Verdict {
        FINE,
        REFUSED,
        LOST,
        HALF,
        UNSTEADY
    }

    private static final Verdict[] WRONG = {Verdict.REFUSED, Verdict.LOST, Verdict.HALF, Verdict.UNSTEADY};

    @Test
    void the_store_has_every_acknowledged_step_and_no_half_of_another() throws Exception {
        Map<Verdict, Integer> found = verdicts("store", STEPS, STATES, CrashTest::sqlite);
        assertThat(found.keySet()).as("seed %s: %s", SEED, found).containsExactly(Verdict.FINE);
    }

    @ParameterizedTest
    @ValueSource(strings = {"synchronous = OFF", "journal_mode = MEMORY"})
    void a_store_that_does_not_sync_in_order_is_found_wrong(String pragma) throws Exception {
        assertThat(verdicts(pragma, FEW_STEPS, PLANTED_STATES, CrashTest::sqlite)
                        .keySet())
                .containsAnyOf(WRONG);
    }

    @Test
    void the_store_of_the_former_release_is_found_wrong() throws Exception {
        assertThat(verdicts("mvstore", STEPS, PLANTED_STATES, CrashTest::mvStore)
                        .keySet())
                .containsAnyOf(WRONG);
    }

    private Map<Verdict, Integer> verdicts(
            String kind, int steps, int states, Function<Path, Map<String, String>> opening) throws Exception {
        Path folder = Files.createDirectories(scratch.resolve("recorded"));
        List<Operation> trace = Trace.record(
                scratch,
                folder,
                List.of(
                        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                        "-Xmx128m",
                        "-cp",
                        System.getProperty("java.class.path"),
                        StepWriter.class.getName(),
                        folder.toString(),
                        kind,
                        Integer.toString(steps)));
        Map<Verdict, Integer> found = new EnumMap<>(Verdict.class);
        StringBuilder said = new StringBuilder("crash " + kind + ": seed " + SEED);
        for (Crash crash : Crash.values()) {
            Map<Verdict, Integer> those = judge(trace, crash, states, opening);
            those.forEach((verdict, count) -> found.merge(verdict, count, Integer::sum));
            said.append(", ").append(crash).append(' ').append(those);
        }
        System.out.println(said.append(", each opened twice"));
        return found;
    }

    private Map<Verdict, Integer> judge(
            List<Operation> trace, Crash crash, int states, Function<Path, Map<String, String>> opening)
            throws IOException {
        Random random = new Random(SEED + crash.ordinal());
        Map<Verdict, Integer> found = new EnumMap<>(Verdict.class);
        // Before the first acknowledgement the store may not be there yet: it is made anew then.
        int first = indexOfFirstAck(trace);
        int[] points = random.ints(states, first, trace.size()).sorted().toArray();
        Disk disk = new Disk();
        int played = 0;
        for (int point : points) {
            while (played <= point) {
                disk.play(trace.get(played++));
            }
            Map<String, byte[]> left = new TreeMap<>(disk.after(crash, trace.get(point), random));
            left.keySet().removeAll(NO_PART_OF_IT);
            found.merge(judge(left, acknowledged(disk), opening), 1, Integer::sum);
        }
        return found;
    }

    private static int indexOfFirstAck(List<Operation> trace) {
        for (int i = 0; i < trace.size(); i++) {
            if (trace.get(i).kind() == 'w' && trace.get(i).name().equals("acks")) {
                return i;
            }
        }
        throw new IllegalStateException("the recorded process acknowledged nothing");
    }

    private static int acknowledged(Disk disk) {
        String[] acks = new String(disk.seen("acks"), StandardCharsets.US_ASCII).split("\n");
        return Integer.parseInt(acks[acks.length - 1]);
    }

    private Verdict judge(Map<String, byte[]> left, int acknowledged, Function<Path, Map<String, String>> opening)
            throws IOException {
        Path state = Files.createDirectories(scratch.resolve("state"));
        try {
            Disk.write(left, state);
            List<Map<String, String>> read = new ArrayList<>();
            for (int time = 0; time < 2; time++) {
                try {
                    read.add(opening.apply(state));
                } catch (RuntimeException refused) {
                    return Verdict.REFUSED;
                }
            }
            return !read.get(0).equals(read.get(1)) ? Verdict.UNSTEADY : judge(read.get(0), acknowledged);
        } finally {
            remove(state);
        }
    }

    private static Verdict judge(Map<String, String> content, int acknowledged) {
        int step = Integer.parseInt(content.getOrDefault("left/step", "0"));
        if (!content.equals(Steps.after(step))) {
            return Verdict.HALF;
        }
        return step < acknowledged ? Verdict.LOST : Verdict.FINE;
    }

    private static void remove(Path folder) throws IOException {
        try (Stream<Path> files = Files.walk(folder)) {
            for (Path path : files.sorted(Comparator.reverseOrder()).toList()) {
                Files.delete(path);
            }
        }
    }

    private static Map<String, String> sqlite(Path folder) {
        Map<String, String> content = new TreeMap<>();
        try (SqliteStore store = new SqliteStore(folder)) {
            for (String map : List.of("left", "right")) {
                store.all(map).forEach((key, value) -> content.put(map + "/" + key, value));
            }
        }
        return content;
    }

    private static Map<String, String> mvStore(Path folder) {
        Map<String, String> content = new TreeMap<>();
        Path file = folder.resolve("sextant.mv");
        if (Files.notExists(file)) {
            throw new UncheckedIOException(new IOException("no file"));
        }
        try (MVStore store = new MVStore.Builder()
                .fileName(file.toString())
                .autoCommitDisabled()
                .open()) {
            for (String map : List.of("left", "right")) {
                store.<String, String>openMap(map).forEach((key, value) -> content.put(map + "/" + key, value));
            }
        }
        return content;
    }
}
