// SPDX-License-Identifier: Apache-2.0
package org.sextant.karaf.host.crash;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.h2.mvstore.MVStore;
import org.junit.jupiter.api.DisplayNameGeneration;
import org.junit.jupiter.api.DisplayNameGenerator.ReplaceUnderscores;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.sextant.karaf.host.crash.CrashChecker.Subject;
import org.sextant.karaf.host.crash.CrashChecker.Verdict;
import org.sextant.karaf.host.crash.Trace.Operation;
import org.sextant.karaf.host.security.RecordedUsers;
import org.sextant.karaf.host.store.SqliteStore;
import org.sextant.karaf.host.web.RecordedCertificate;

/**
 * Every durable file of the controller after every kind of crash ({@link CrashChecker}).
 *
 * <p>{@code -Dsextant.crash.states=N} states of each kind of crash (400 without it), {@code -Dsextant.crash.seed=S}.
 */
@Tag("crash")
@DisplayNameGeneration(ReplaceUnderscores.class)
@Timeout(7200)
class CrashTest {
    private static final int STATES = Integer.getInteger("sextant.crash.states", 400);
    private static final long SEED = Long.getLong("sextant.crash.seed", System.nanoTime());
    private static final int STEPS = 300;
    private static final int FEW_STEPS = 60;
    private static final int PLANTED_STATES = 60;
    private static final Verdict[] WRONG = {Verdict.REFUSED, Verdict.LOST, Verdict.HALF, Verdict.UNSTEADY};
    private static final Subject STORE = new StoreSubject(CrashTest::sqlite);
    private static final Map<String, Integer> STEPS_OF =
            Map.of("audit", FEW_STEPS, "users", FEW_STEPS, "credentials", 3, "certificate", 5);

    @TempDir
    private Path scratch;

    private CrashChecker checker() {
        return new CrashChecker(scratch, SEED);
    }

    /** The content of a map of entries, after the {@link Steps}. */
    private record StoreSubject(Opening opening) implements Subject {
        @Override
        public Map<String, String> open(Path folder) {
            return opening.open(folder);
        }

        @Override
        public Map<String, String> after(int steps) {
            return Steps.after(steps);
        }

        @Override
        public boolean fromNothing() {
            return false;
        }
    }

    private interface Opening {
        Map<String, String> open(Path folder);
    }

    private interface Reading {
        Map<String, String> open(Path folder) throws Exception;
    }

    /** A start makes missing files, so the content is always the same. */
    private record MadeSubject(Reading reading, Map<String, String> content) implements Subject {
        @Override
        public Map<String, String> open(Path folder) throws Exception {
            return reading.open(folder);
        }

        @Override
        public Map<String, String> after(int steps) {
            return content;
        }
    }

    private record UsersSubject() implements Subject {
        @Override
        public Map<String, String> open(Path folder) {
            return RecordedUsers.read(folder);
        }

        @Override
        public Map<String, String> after(int steps) {
            return RecordedUsers.after(steps);
        }
    }

    private static Subject small(String kind) {
        return switch (kind) {
            case "audit" -> new AuditSubject();
            case "users" -> new UsersSubject();
            case "credentials" ->
                new MadeSubject(RecordedUsers::passwords, Map.of("admin", "opens", "viewer", "opens"));
            default -> new MadeSubject(RecordedCertificate::read, Map.of("key", "fits"));
        };
    }

    private void assertFine(String kind, int steps, Subject subject) throws Exception {
        CrashChecker checker = checker();
        Map<Verdict, Integer> found = checker.verdicts(kind, checker.record(kind, steps), STATES, subject);
        assertThat(found.keySet()).as("seed %s: %s", SEED, found).containsExactly(Verdict.FINE);
    }

    @Test
    void the_store_has_every_acknowledged_step_and_no_half_of_another() throws Exception {
        assertFine("store", STEPS, STORE);
    }

    @ParameterizedTest
    @ValueSource(strings = {"audit", "users", "credentials", "certificate"})
    void a_small_file_has_every_acknowledged_step_and_no_half_of_another(String kind) throws Exception {
        assertFine(kind, STEPS_OF.get(kind), small(kind));
    }

    @ParameterizedTest
    @ValueSource(strings = {"synchronous = OFF", "journal_mode = MEMORY"})
    void a_store_that_does_not_sync_in_order_is_found_wrong(String pragma) throws Exception {
        assertFoundWrong(pragma, checker().record(pragma, FEW_STEPS), STORE);
    }

    @ParameterizedTest
    @ValueSource(strings = {"audit", "users"})
    void a_small_file_whose_syncs_do_nothing_is_found_wrong(String kind) throws Exception {
        List<Operation> trace = checker().record(kind, STEPS_OF.get(kind));
        for (char sync : new char[] {'s', 'd'}) {
            assertFoundWrong(kind + " without " + sync, CrashChecker.without(sync, trace), small(kind));
        }
    }

    @Test
    void the_store_of_the_former_release_is_found_wrong() throws Exception {
        assertFoundWrong("mvstore", checker().record("mvstore", STEPS), new StoreSubject(CrashTest::mvStore));
    }

    private void assertFoundWrong(String kind, List<Operation> trace, Subject subject) throws Exception {
        assertThat(checker().verdicts(kind, trace, PLANTED_STATES, subject).keySet())
                .containsAnyOf(WRONG);
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
