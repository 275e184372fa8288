// SPDX-License-Identifier: Apache-2.0
package org.sextant.karaf.host.store;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Stream;
import org.junit.jupiter.api.DisplayNameGeneration;
import org.junit.jupiter.api.DisplayNameGenerator.ReplaceUnderscores;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.sextant.core.port.Backups.Backup;
import org.sextant.core.port.Store.Write;

@DisplayNameGeneration(ReplaceUnderscores.class)
@Timeout(120)
class StoreBackupTest {
    private static final int MAPS = 3;
    private static final int ROUNDS = 10;

    @TempDir
    private Path folder;

    private Path folder() {
        return folder.resolve("store");
    }

    /** Every commit writes one revision into several maps: a copy with two revisions is of no moment. */
    @Test
    void a_backup_while_writes_go_on_is_one_state_no_older_than_what_was_acknowledged_before_it() throws Exception {
        try (SqliteStore store = new SqliteStore(folder())) {
            store.put("ballast", ballast(20_000));
            AtomicBoolean ended = new AtomicBoolean();
            AtomicInteger acknowledged = new AtomicInteger();
            commit(store, 1);
            Thread writer = new Thread(() -> {
                for (int revision = 2; !ended.get(); revision++) {
                    commit(store, revision);
                    acknowledged.set(revision);
                }
            });
            writer.start();
            try {
                for (int round = 0; round < ROUNDS; round++) {
                    int before = acknowledged.get();
                    Path restored = restored("round-" + round, store.take(Set.of()));
                    int after = acknowledged.get();
                    assertThat(after).as("writes during the backup").isGreaterThan(before);
                    try (SqliteStore copy = new SqliteStore(restored)) {
                        int revision =
                                Integer.parseInt(copy.get("map-0", "revision").orElseThrow());
                        assertThat(revision).isBetween(before, after + 1);
                        for (int map = 0; map < MAPS; map++) {
                            assertThat(copy.get("map-" + map, "revision")).contains("" + revision);
                        }
                        assertThat(copy.all("ballast")).hasSize(20_000);
                    }
                }
            } finally {
                ended.set(true);
                writer.join();
            }
        }
    }

    private static void commit(SqliteStore store, int revision) {
        store.commit(Stream.iterate(0, map -> map < MAPS, map -> map + 1)
                .map(map -> Write.put("map-" + map, "revision", "" + revision))
                .toList());
    }

    @Test
    void the_maps_that_are_named_are_left_out_with_their_bytes() throws IOException {
        try (SqliteStore store = new SqliteStore(folder())) {
            store.put("secrets", Map.of("a", "a-secret-that-is-not-for-a-backup"));
            store.put("m", Map.of("a", "1"));
            Path copy = restored("copy", store.take(Set.of("secrets")));
            assertThat(new String(
                            Files.readAllBytes(copy.resolve("sextant-1.db")),
                            java.nio.charset.StandardCharsets.ISO_8859_1))
                    .doesNotContain("a-secret-that-is-not-for-a-backup");
            try (SqliteStore restored = new SqliteStore(copy)) {
                assertThat(restored.all("m")).containsOnlyKeys("a");
                assertThat(restored.all("secrets")).isEmpty();
                assertThat(restored.get(StoreSnapshot.ABOUT, "made")).isPresent();
            }
            assertThat(store.all("secrets")).containsOnlyKeys("a");
            assertThat(store.all(StoreSnapshot.ABOUT)).isEmpty();
        }
    }

    @Test
    void a_backup_is_one_file_that_only_its_owner_reads() throws IOException {
        Path file = folder.resolve("backup.db");
        try (SqliteStore store = new SqliteStore(folder())) {
            store.put("m", Map.of("a", "1"));
            store.backup(file);
        }
        assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(file)))
                .isEqualTo("rw-------");
        byte[] header = Files.readAllBytes(file);
        assertThat(List.of(header[18], header[19]))
                .as("1: no log beside it (SQLite file format, 1.3.3)")
                .containsOnly((byte) 1);
        assertThat(names(folder)).containsExactlyInAnyOrder("backup.db", "store");
    }

    @Test
    void a_backup_leaves_nothing_in_the_stores_folder_and_neither_does_a_kill_in_the_middle() throws IOException {
        try (SqliteStore store = new SqliteStore(folder())) {
            store.put("m", Map.of("a", "1"));
            List<String> before = names(folder());
            try (Backup backup = store.take(Set.of())) {
                assertThat(names(folder())).isEqualTo(before);
                assertThat(backup.content().readAllBytes()).hasSize((int) backup.bytes());
            }
            assertThat(names(folder())).isEqualTo(before);
        }
        Files.writeString(folder().resolve("copy-of-a-killed-controller"), "half");
        try (SqliteStore store = new SqliteStore(folder())) {
            assertThat(store.all("m")).hasSize(1);
            assertThat(names(folder())).noneMatch(name -> name.startsWith("copy-"));
        }
    }

    @Test
    void a_target_that_cannot_be_written_is_named() throws IOException {
        Files.createDirectories(folder.resolve("taken"));
        try (SqliteStore store = new SqliteStore(folder())) {
            assertThatThrownBy(() -> store.backup(folder.resolve("taken"))).hasMessageContaining("exists");
            assertThatThrownBy(() -> store.backup(folder.resolve("absent").resolve("b.db")))
                    .isInstanceOf(IOException.class)
                    .hasMessageContaining("absent");
        }
    }

    @Test
    void the_report_of_a_restore_is_for_one_start() {
        try (SqliteStore store = new SqliteStore(folder())) {
            store.put("restore", Map.of("report", "{\"added\":1}"));
        }
        try (SqliteStore store = new SqliteStore(folder())) {
            assertThat(store.all("restore")).isEmpty();
        }
    }

    @Test
    void a_copy_without_room_beside_the_store_is_refused_with_both_numbers() throws Exception {
        try (SqliteStore store = new SqliteStore(folder());
                StoreSnapshot snapshot = StoreSnapshot.of(folder().resolve("sextant-1.db"))) {
            store.put("m", Map.of("a", "1"));
            snapshot.requireRoom(1L << 40);
            assertThatThrownBy(() -> snapshot.requireRoom(4096))
                    .isInstanceOf(IOException.class)
                    .hasMessageMatching("a copy needs \\d+ KiB of room beside it, and 4 KiB are there");
        }
    }

    /** A backup as a store of its own. */
    private Path restored(String name, Backup backup) throws IOException {
        Path target = Files.createDirectories(folder.resolve(name));
        try (backup) {
            long copied = Files.copy(backup.content(), target.resolve("sextant-1.db"));
            assertThat(copied).isEqualTo(backup.bytes());
        }
        return target;
    }

    private static Map<String, String> ballast(int entries) {
        Map<String, String> ballast = new TreeMap<>();
        for (int i = 0; i < entries; i++) {
            ballast.put("k" + i, Writers.value("k" + i));
        }
        return ballast;
    }

    private static List<String> names(Path folder) throws IOException {
        try (Stream<Path> files = Files.list(folder)) {
            return files.map(path -> path.getFileName().toString()).sorted().toList();
        }
    }
}
