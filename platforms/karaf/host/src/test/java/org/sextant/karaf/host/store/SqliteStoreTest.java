// SPDX-License-Identifier: Apache-2.0
package org.sextant.karaf.host.store;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;
import org.junit.jupiter.api.DisplayNameGeneration;
import org.junit.jupiter.api.DisplayNameGenerator.ReplaceUnderscores;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.sextant.core.port.Store.Change;
import org.sextant.core.port.StoreTelemetry;
import org.sextant.core.port.Subscription;

@DisplayNameGeneration(ReplaceUnderscores.class)
@Timeout(120)
class SqliteStoreTest {
    @TempDir
    private Path folder;

    private Path folder() {
        return folder.resolve("store");
    }

    private Path file() {
        return folder().resolve("sextant-1.db");
    }

    @Test
    void what_is_put_is_there_after_opening_again() {
        try (SqliteStore store = new SqliteStore(folder())) {
            store.put("m", Map.of("b", "2", "a", "1"));
            assertThat(store.putIfAbsent("m", "a", "9")).isFalse();
            assertThat(store.putIfAbsent("m", "c", "3")).isTrue();
            assertThat(store.remove("m", "b")).isTrue();
            assertThat(store.remove("m", "b")).isFalse();
            store.put("other", Map.of("a", "x"));
        }
        try (SqliteStore store = new SqliteStore(folder())) {
            assertThat(store.all("m")).containsExactly(Map.entry("a", "1"), Map.entry("c", "3"));
            assertThat(store.get("other", "a")).contains("x");
            assertThat(store.get("none", "a")).isEmpty();
        }
    }

    @Test
    void commits_their_time_and_the_size_of_the_files_are_counted() {
        try (SqliteStore store = new SqliteStore(folder())) {
            StoreTelemetry.Load before = store.load();
            assertThat(before.bytes()).isPositive();
            store.put("m", Map.of("a", "x".repeat(100_000)));
            store.putIfAbsent("m", "a", "a condition that does not hold");
            StoreTelemetry.Load after = store.load();
            assertThat(after.commits() - before.commits()).isEqualTo(2);
            assertThat(after.bytes() - before.bytes()).isGreaterThan(100_000);
            assertThat(after.committing()).isGreaterThan(before.committing());
            assertThat(after.refused()).isZero();
        }
    }

    @Test
    void many_keys_are_removed_at_once_and_only_those_that_were_there_are_told() {
        List<Change> heard = new ArrayList<>();
        try (SqliteStore store = new SqliteStore(folder())) {
            store.put("m", Map.of("a", "1", "b", "2", "c", "3"));
            store.onChange("m", heard::add);
            store.removeAll("m", List.of("a", "x", "c", "a"));
        }
        try (SqliteStore store = new SqliteStore(folder())) {
            assertThat(store.all("m")).containsExactly(Map.entry("b", "2"));
        }
        assertThat(heard)
                .containsExactly(new Change("m", "a", Optional.empty()), new Change("m", "c", Optional.empty()));
    }

    @Test
    void listeners_hear_of_changes_until_they_leave() {
        try (SqliteStore store = new SqliteStore(folder())) {
            List<Change> heard = new ArrayList<>();
            Subscription subscription = store.onChange("m", heard::add);
            store.put("m", Map.of("b", "2", "a", "1"));
            store.put("other", Map.of("a", "1"));
            store.putIfAbsent("m", "a", "9");
            store.remove("m", "a");
            subscription.close();
            store.remove("m", "b");
            assertThat(heard)
                    .containsExactly(
                            new Change("m", "a", Optional.of("1")),
                            new Change("m", "b", Optional.of("2")),
                            new Change("m", "a", Optional.empty()));
        }
    }

    @Test
    void nothing_acknowledged_is_lost_by_kill_9() throws Exception {
        List<String> acknowledged = new ArrayList<>();
        for (int run = 0; run < 3; run++) {
            acknowledged.addAll(writeUntilKilled(run, 400 * (run + 1)));
            try (SqliteStore store = new SqliteStore(folder())) {
                Map<String, String> all = store.all("m");
                assertThat(acknowledged).allSatisfy(key -> assertThat(all).containsEntry(key, Writers.value(key)));
                assertThat(all.keySet().stream().filter(key -> key.endsWith("-twin")))
                        .allMatch(twin -> all.containsKey(twin.replace("-twin", "")));
            }
        }
        System.out.println("kill -9: " + acknowledged.size() + " acknowledged writes, none lost; file of "
                + Files.size(file()) / 1024 + " KiB");
    }

    @Test
    void a_failed_write_is_refused_what_was_acknowledged_is_kept_and_a_new_file_takes_the_next_one() throws Exception {
        List<String> limited = new ArrayList<>(List.of("sh", "-c", "ulimit -f 4096; exec \"$@\"", "sh"));
        limited.addAll(java(FullDisk.class, folder().toString()));
        Process process = new ProcessBuilder(limited)
                .redirectError(ProcessBuilder.Redirect.INHERIT)
                .start();
        List<String> said;
        try (BufferedReader reader = process.inputReader(StandardCharsets.UTF_8)) {
            said = reader.lines().toList();
        }
        assertThat(process.waitFor()).isZero();
        assertThat(said.get(0))
                .startsWith("the controller cannot write the store " + folder() + "; is the disk full? ");
        int acknowledged = Integer.parseInt(said.get(1));
        assertThat(acknowledged).isPositive();
        assertThat(said.get(2)).as("keys in memory after the refusal").isEqualTo("" + acknowledged);
        try (SqliteStore store = new SqliteStore(folder())) {
            assertThat(store.all("m")).hasSize(acknowledged + 1).containsKey("again");
            store.put("m", Map.of("room", "again"));
        }
        try (Stream<Path> files = Files.list(folder())) {
            assertThat(files.map(path -> path.getFileName().toString()).filter(name -> name.endsWith(".db")))
                    .as("the generations")
                    .containsExactly("sextant-2.db");
        }
    }

    private static List<String> java(Class<?> main, String... args) {
        List<String> words = new ArrayList<>(List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-Xmx64m",
                "-cp",
                System.getProperty("java.class.path"),
                main.getName()));
        words.addAll(List.of(args));
        return words;
    }

    /** The output of the process before it was killed in the middle of its work; a torn last line does not count. */
    private List<String> writeUntilKilled(int run, int atLeast) throws IOException, InterruptedException {
        Process process = new ProcessBuilder(java(Writers.class, folder().toString(), Integer.toString(run)))
                .redirectError(ProcessBuilder.Redirect.INHERIT)
                .start();
        StringBuilder output = new StringBuilder();
        try (BufferedReader reader =
                new BufferedReader(new InputStreamReader(process.getInputStream(), StandardCharsets.UTF_8))) {
            for (int lines = 0; lines < atLeast; lines++) {
                output.append(reader.readLine()).append('\n');
            }
            // By the handle: the process would close our end of its output, and with it the unread rest.
            process.toHandle().destroyForcibly();
            reader.transferTo(new java.io.StringWriter() {
                @Override
                public void write(char[] buffer, int offset, int length) {
                    output.append(buffer, offset, length);
                }
            });
        }
        process.waitFor();
        return output.substring(0, output.lastIndexOf("\n") + 1).lines().toList();
    }

    @Test
    void a_second_process_is_told_who_has_the_file() {
        try (SqliteStore store = new SqliteStore(folder())) {
            assertThatThrownBy(() -> new SqliteStore(folder()))
                    .hasMessageContaining("in use")
                    .hasMessageContaining("SEXTANT_DATA");
            store.put("m", Map.of("still", "1"));
        }
        assertThat(kept()).isEmpty();
    }

    @Test
    void a_damaged_file_is_kept_and_named_and_never_taken_for_empty() throws IOException {
        fill(2_000);
        long size = Files.size(file());
        try (FileChannel channel = FileChannel.open(file(), StandardOpenOption.WRITE)) {
            for (long at = 4096; at < size; at += 512) {
                channel.write(ByteBuffer.wrap("damage".repeat(30).getBytes(StandardCharsets.UTF_8)), at);
            }
        }
        byte[] damaged = Files.readAllBytes(file());
        for (int attempt = 0; attempt < 2; attempt++) {
            assertThatThrownBy(() -> new SqliteStore(folder()))
                    .hasMessageContaining(file().toString())
                    .hasMessageContaining("damaged")
                    .hasMessageContaining("backup");
        }
        assertThat(kept())
                .filteredOn(copy -> !copy.toString().endsWith("-wal"))
                .isNotEmpty()
                .allSatisfy(copy -> assertThat(Files.readAllBytes(copy)).isEqualTo(damaged));
    }

    @Test
    void a_file_that_lost_its_end_is_damaged() throws IOException {
        fill(2_000);
        byte[] whole = Files.readAllBytes(file());
        for (int length = 0; length < whole.length; length += whole.length / 20 + 1) {
            Files.write(file(), java.util.Arrays.copyOf(whole, length));
            assertThatThrownBy(() -> new SqliteStore(folder()))
                    .as("%s of %s bytes", length, whole.length)
                    .hasMessageContaining("damaged");
        }
    }

    @Test
    void a_file_of_another_program_or_of_a_later_version_is_refused_and_stays() throws Exception {
        fill(1);
        for (String pragma : List.of("PRAGMA application_id = 7", "PRAGMA user_version = 99")) {
            try (java.sql.Connection other = java.sql.DriverManager.getConnection("jdbc:sqlite:" + file());
                    java.sql.Statement statement = other.createStatement()) {
                statement.execute(pragma);
            }
            byte[] before = Files.readAllBytes(file());
            assertThatThrownBy(() -> new SqliteStore(folder()))
                    .hasMessageContaining(pragma.contains("99") ? "a later version of Sextant" : "another program");
            assertThat(Files.readAllBytes(file())).isEqualTo(before);
            try (java.sql.Connection other = java.sql.DriverManager.getConnection("jdbc:sqlite:" + file());
                    java.sql.Statement statement = other.createStatement()) {
                statement.execute("PRAGMA application_id = " + SqliteFile.APPLICATION_ID);
            }
        }
        assertThat(kept()).isEmpty();
    }

    @Test
    void a_folder_in_the_place_of_the_file_is_named() throws IOException {
        Files.createDirectories(file());
        assertThatThrownBy(() -> new SqliteStore(folder())).hasMessageContaining("is no file");
    }

    @Test
    void the_store_of_the_former_release_is_taken_over_once_and_kept_aside() throws IOException {
        Files.createDirectories(folder());
        Path former = folder().resolve("sextant.mv");
        try (org.h2.mvstore.MVStore store = new org.h2.mvstore.MVStore.Builder()
                .fileName(former.toString())
                .autoCommitDisabled()
                .open()) {
            store.<String, String>openMap("intents").put("policy/a", "{}");
            store.commit();
        }
        try (SqliteStore store = new SqliteStore(folder())) {
            assertThat(store.all("intents")).containsExactly(Map.entry("policy/a", "{}"));
            store.put("intents", Map.of("policy/b", "{}"));
        }
        assertThat(former).doesNotExist();
        assertThat(folder().resolve("sextant.mv.taken-over")).exists();
        try (SqliteStore store = new SqliteStore(folder())) {
            assertThat(store.all("intents")).hasSize(2);
        }
    }

    @Test
    void a_damaged_store_of_the_former_release_is_refused_and_stays() throws IOException {
        Files.createDirectories(folder());
        Files.writeString(folder().resolve("sextant.mv"), "nothing that was ever a store".repeat(900));
        for (int attempt = 0; attempt < 2; attempt++) {
            assertThatThrownBy(() -> new SqliteStore(folder())).hasMessageContaining("former release is damaged");
        }
        assertThat(file()).doesNotExist();
        assertThat(folder().resolve("sextant.mv")).exists();
    }

    @Test
    void the_native_code_is_unpacked_under_the_store_and_nowhere_else() throws IOException {
        fill(1);
        try (Stream<Path> files = Files.walk(folder().resolve("native"))) {
            assertThat(files.filter(Files::isRegularFile))
                    .singleElement()
                    .satisfies(library -> assertThat(library).hasFileName("libsqlitejdbc.so"));
        }
        assertThat(System.getProperty("org.sqlite.lib.path")).contains("native");
    }

    @Test
    void the_log_does_not_stay_as_long_as_the_largest_bulk_made_it() throws IOException {
        try (SqliteStore store = new SqliteStore(folder())) {
            Map<String, String> many = new java.util.TreeMap<>();
            for (int i = 0; i < 100_000; i++) {
                many.put("k" + i, Writers.value("k" + i));
            }
            store.put("m", many);
            for (int i = 0; i < 3; i++) {
                store.put("m", Map.of("k" + i, "1"));
            }
            assertThat(Files.size(folder().resolve("sextant-1.db-wal"))).isLessThan(20 << 20);
        }
    }

    @Test
    void a_backup_is_a_store_and_a_file_that_is_there_is_not_replaced() throws IOException {
        Path backup = folder.resolve("backup").resolve("sextant-1.db");
        Files.createDirectories(backup.getParent());
        try (SqliteStore store = new SqliteStore(folder())) {
            store.put("m", Map.of("a", "1"));
            store.backup(backup);
            store.put("m", Map.of("b", "2"));
            assertThatThrownBy(() -> store.backup(backup)).hasMessageContaining("exists");
        }
        try (SqliteStore restored = new SqliteStore(backup.getParent())) {
            assertThat(restored.all("m")).containsExactly(Map.entry("a", "1"));
        }
    }

    private void fill(int entries) {
        try (SqliteStore store = new SqliteStore(folder())) {
            for (int i = 0; i < entries; i += 100) {
                Map<String, String> some = new java.util.TreeMap<>();
                for (int j = i; j < Math.min(i + 100, entries); j++) {
                    some.put("k" + j, Writers.value("k" + j));
                }
                store.put("m", some);
            }
        }
    }

    private List<Path> kept() {
        try (Stream<Path> files = Files.list(file().getParent())) {
            return files.filter(path -> path.getFileName().toString().contains("damaged"))
                    .toList();
        } catch (IOException e) {
            throw new java.io.UncheckedIOException(e);
        }
    }
}
