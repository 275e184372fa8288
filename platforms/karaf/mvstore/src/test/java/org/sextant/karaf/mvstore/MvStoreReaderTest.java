// SPDX-License-Identifier: Apache-2.0
package org.sextant.karaf.mvstore;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.TreeMap;
import org.h2.mvstore.MVStore;
import org.junit.jupiter.api.DisplayNameGeneration;
import org.junit.jupiter.api.DisplayNameGenerator.ReplaceUnderscores;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

@DisplayNameGeneration(ReplaceUnderscores.class)
class MvStoreReaderTest {
    @TempDir
    private Path folder;

    private Path file() {
        return folder.resolve("sextant.mv");
    }

    private void write(Map<String, Map<String, String>> maps) {
        try (MVStore store = new MVStore.Builder()
                .fileName(file().toString())
                .autoCommitDisabled()
                .open()) {
            maps.forEach((name, entries) -> store.<String, String>openMap(name).putAll(entries));
            store.commit();
        }
    }

    @Test
    void all_maps_are_read_and_the_file_stays_as_it_is() throws IOException {
        write(Map.of("intents", Map.of("policy/a", "{}", "policy/b", "{\"κ\": 1}"), "boots", Map.of("l1", "3")));
        byte[] before = Files.readAllBytes(file());
        assertThat(MvStoreReader.read(file()))
                .isEqualTo(new TreeMap<>(Map.of(
                        "intents", new TreeMap<>(Map.of("policy/a", "{}", "policy/b", "{\"κ\": 1}")),
                        "boots", new TreeMap<>(Map.of("l1", "3")))));
        assertThat(Files.readAllBytes(file())).isEqualTo(before);
    }

    @Test
    void a_file_that_was_further_once_is_refused() throws IOException {
        write(Map.of("m", Map.of("a", "1")));
        Files.writeString(folder.resolve("sextant.mv.version"), "99");
        assertThatThrownBy(() -> MvStoreReader.read(file())).hasMessageContaining("once held 99");
    }

    @Test
    void a_damaged_or_empty_file_is_refused() throws IOException {
        Files.writeString(file(), "x".repeat(20_000));
        assertThatThrownBy(() -> MvStoreReader.read(file())).hasMessageContaining("damaged");
        Files.write(file(), new byte[0]);
        assertThatThrownBy(() -> MvStoreReader.read(file())).hasMessageContaining("empty");
    }
}
