// SPDX-License-Identifier: Apache-2.0
package org.sextant.karaf.host.crash;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.junit.jupiter.api.DisplayNameGeneration;
import org.junit.jupiter.api.DisplayNameGenerator.ReplaceUnderscores;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.sextant.karaf.host.store.SqliteStore;

/**
 * EIO and ENOSPC at the writes, truncations, renames and syncs of store, audit log, users and tokens, once or from then on. Acknowledged
 * changes are there after a kill and a restart, and a disk that has room again takes removals at once ({@link FaultyController}).
 *
 * <p>{@code -Dsextant.crash.states=N} calls of each kind of fault at most (all if there are fewer), {@code -Dsextant.crash.seed=S}.
 */
@Tag("crash")
@DisplayNameGeneration(ReplaceUnderscores.class)
@Timeout(7200)
class FailingDiskTest {
    private static final int STATES = Integer.getInteger("sextant.crash.states", 400);
    /** A case is a run of a controller and two starts, so there are fewer than states of a crash. */
    private static final int STATES_A_CALL = 5;

    private static final int PLANTED_CALLS = 8;

    private static final long SEED = Long.getLong("sextant.crash.seed", System.nanoTime());

    @TempDir
    private Path scratch;

    private Process start(Path folder, Map<String, String> environment, Class<?> main, String... args)
            throws IOException, InterruptedException {
        List<String> words = new ArrayList<>(List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-Xmx256m",
                "-Dorg.slf4j.simpleLogger.defaultLogLevel=off",
                "-cp",
                System.getProperty("java.class.path"),
                main.getName()));
        words.addAll(List.of(args));
        ProcessBuilder process = new ProcessBuilder(words).redirectErrorStream(true);
        process.environment()
                .put("LD_PRELOAD", Preload.library(scratch, "fail_calls").toString());
        process.environment().put("SEXTANT_FAIL_FOLDER", folder.toString());
        process.environment().putAll(environment);
        return process.start();
    }

    private static String output(Process process) throws IOException {
        return new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    }

    private Process faults(int most, boolean planted) throws IOException, InterruptedException {
        Path folder = Files.createDirectories(scratch.resolve("disk"));
        return start(
                folder,
                Map.of(),
                FaultyController.class,
                folder.toString(),
                Integer.toString(most),
                Long.toString(SEED),
                Boolean.toString(planted));
    }

    @Test
    void what_was_acknowledged_is_there_whatever_call_to_the_disk_fails() throws Exception {
        Process process = faults(Math.max(1, STATES / STATES_A_CALL), false);
        String said = output(process);
        System.out.print(said);
        assertThat(process.waitFor()).as(said).isZero();
        assertThat(said).matches("(?s).*faults: seed .*, [1-9][0-9]* faults, 0 bad\\s*");
    }

    @Test
    void a_controller_that_acknowledges_what_the_disk_refused_is_found_wrong() throws Exception {
        Process process = faults(PLANTED_CALLS, true);
        assertThat(output(process)).contains("was acknowledged and is lost");
        assertThat(process.waitFor()).isEqualTo(1);
    }

    @ParameterizedTest
    @CsvSource({
        "SEXTANT_FAIL_READ_ONLY, Read-only file system; give the controller a folder that it may write in SEXTANT_DATA",
        "SEXTANT_FAIL_LOCKS, its file system has no locks (No locks available); give the controller a local disk in"
                + " SEXTANT_DATA"
    })
    void a_disk_that_is_read_only_or_has_no_locks_is_named_and_nothing_is_changed(String fault, String sentence)
            throws Exception {
        Path folder = scratch.resolve("store");
        try (SqliteStore store = new SqliteStore(folder)) {
            store.put("m", Map.of("a", "1"));
        }
        Map<String, String> before = content(folder);
        Process process = start(folder, Map.of(fault, "1"), OpenedStore.class, folder.toString());
        assertThat(output(process))
                .startsWith("cannot use the store " + folder + ": ")
                .contains(sentence);
        assertThat(content(folder)).isEqualTo(before);
        assertThat(output(start(folder, Map.of(), OpenedStore.class, folder.toString())))
                .isEqualTo("opened with {a=1}\n");
    }

    private static Map<String, String> content(Path folder) throws IOException {
        Map<String, String> content = new TreeMap<>();
        try (Stream<Path> files = Files.walk(folder)) {
            for (Path file : files.filter(Files::isRegularFile).toList()) {
                content.put(folder.relativize(file).toString(), HexFormat.of().formatHex(Files.readAllBytes(file)));
            }
        }
        return content;
    }
}
