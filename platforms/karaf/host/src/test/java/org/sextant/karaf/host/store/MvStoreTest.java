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
import org.sextant.core.port.Subscription;

@DisplayNameGeneration(ReplaceUnderscores.class)
@Timeout(120)
class MvStoreTest {
    @TempDir
    private Path folder;

    private Path file() {
        return folder.resolve("store").resolve("sextant.mv");
    }

    @Test
    void what_is_put_is_there_after_opening_again() {
        try (MvStore store = new MvStore(file())) {
            store.put("m", Map.of("b", "2", "a", "1"));
            assertThat(store.putIfAbsent("m", "a", "9")).isFalse();
            assertThat(store.putIfAbsent("m", "c", "3")).isTrue();
            assertThat(store.remove("m", "b")).isTrue();
            assertThat(store.remove("m", "b")).isFalse();
            store.put("other", Map.of("a", "x"));
        }
        try (MvStore store = new MvStore(file())) {
            assertThat(store.all("m")).containsExactly(Map.entry("a", "1"), Map.entry("c", "3"));
            assertThat(store.get("other", "a")).contains("x");
            assertThat(store.get("none", "a")).isEmpty();
        }
    }

    @Test
    void many_keys_are_removed_at_once_and_only_those_that_were_there_are_told() {
        List<Change> heard = new ArrayList<>();
        try (MvStore store = new MvStore(file())) {
            store.put("m", Map.of("a", "1", "b", "2", "c", "3"));
            store.onChange("m", heard::add);
            store.removeAll("m", List.of("a", "x", "c", "a"));
        }
        try (MvStore store = new MvStore(file())) {
            assertThat(store.all("m")).containsExactly(Map.entry("b", "2"));
        }
        assertThat(heard)
                .containsExactly(new Change("m", "a", Optional.empty()), new Change("m", "c", Optional.empty()));
    }

    @Test
    void listeners_hear_of_changes_until_they_leave() {
        try (MvStore store = new MvStore(file())) {
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
            try (MvStore store = new MvStore(file())) {
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
    void a_full_disk_refuses_the_write_keeps_what_was_acknowledged_and_is_read_on() throws Exception {
        List<String> limited = new ArrayList<>(List.of("sh", "-c", "ulimit -f 256; exec \"$@\"", "sh"));
        limited.addAll(java(FullDisk.class, file().toString()));
        Process process = new ProcessBuilder(limited)
                .redirectError(ProcessBuilder.Redirect.INHERIT)
                .start();
        List<String> said;
        try (BufferedReader reader = process.inputReader(StandardCharsets.UTF_8)) {
            said = reader.lines().toList();
        }
        assertThat(process.waitFor()).isZero();
        assertThat(said.get(0)).startsWith("the controller cannot write the store " + file() + "; is the disk full? ");
        int acknowledged = Integer.parseInt(said.get(1));
        assertThat(acknowledged).isPositive();
        assertThat(said.get(2)).as("keys in memory after the refusal").isEqualTo("" + acknowledged);
        try (MvStore store = new MvStore(file())) {
            assertThat(store.all("m")).hasSize(acknowledged);
            store.put("m", Map.of("room", "again"));
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

    /** What the process printed before it was killed in the middle of its work; a torn last line does not count. */
    private List<String> writeUntilKilled(int run, int atLeast) throws IOException, InterruptedException {
        Process process = new ProcessBuilder(java(Writers.class, file().toString(), Integer.toString(run)))
                .redirectError(ProcessBuilder.Redirect.INHERIT)
                .start();
        StringBuilder output = new StringBuilder();
        try (BufferedReader reader =
                new BufferedReader(new InputStreamReader(process.getInputStream(), StandardCharsets.UTF_8))) {
            for (int lines = 0; lines < atLeast; lines++) {
                output.append(reader.readLine()).append('\n');
            }
            // By the handle: the process would close our end of its output, and with it what is still to be read.
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
        try (MvStore store = new MvStore(file())) {
            assertThatThrownBy(() -> new MvStore(file()))
                    .hasMessageContaining("in use")
                    .hasMessageContaining("SEXTANT_DATA");
            store.put("m", Map.of("still", "1"));
        }
        assertThat(kept()).isEmpty();
    }

    @Test
    void a_damaged_file_is_kept_and_said_and_never_taken_for_empty() throws IOException {
        fill(2_000);
        long size = Files.size(file());
        try (FileChannel channel = FileChannel.open(file(), StandardOpenOption.WRITE)) {
            for (long at = 0; at < size; at += 512) {
                channel.write(ByteBuffer.wrap("damage".repeat(30).getBytes(StandardCharsets.UTF_8)), at);
            }
        }
        byte[] damaged = Files.readAllBytes(file());
        for (int attempt = 0; attempt < 2; attempt++) {
            assertThatThrownBy(() -> new MvStore(file()))
                    .hasMessageContaining(file().toString())
                    .hasMessageContaining("damaged")
                    .hasMessageContaining("backup");
        }
        assertThat(kept())
                .isNotEmpty()
                .allSatisfy(copy -> assertThat(Files.readAllBytes(copy)).isEqualTo(damaged));
    }

    @Test
    void a_file_that_lost_its_end_is_damaged_or_complete() throws IOException {
        fill(2_000);
        byte[] whole = Files.readAllBytes(file());
        for (int length = 0; length < whole.length; length += whole.length / 20) {
            Files.write(file(), java.util.Arrays.copyOf(whole, length));
            assertIntactOrRefused(2_000);
        }
    }

    @Test
    void an_emptied_file_is_damaged() throws IOException {
        fill(1);
        Files.write(file(), new byte[0]);
        assertThatThrownBy(() -> new MvStore(file())).hasMessageContaining("damaged");
    }

    private void assertIntactOrRefused(int entries) {
        try (MvStore store = new MvStore(file())) {
            assertThat(store.all("m")).hasSize(entries);
        } catch (java.io.UncheckedIOException refused) {
            assertThat(refused).hasMessageContaining("damaged");
        }
    }

    private void fill(int entries) {
        try (MvStore store = new MvStore(file())) {
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
