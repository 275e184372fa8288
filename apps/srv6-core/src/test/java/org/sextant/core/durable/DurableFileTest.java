// SPDX-License-Identifier: Apache-2.0
package org.sextant.core.durable;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.DisplayNameGeneration;
import org.junit.jupiter.api.DisplayNameGenerator.ReplaceUnderscores;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

@DisplayNameGeneration(ReplaceUnderscores.class)
class DurableFileTest {
    @TempDir
    private Path folder;

    private List<String> names() throws IOException {
        try (Stream<Path> files = Files.list(folder)) {
            return files.map(file -> file.getFileName().toString()).sorted().toList();
        }
    }

    @Test
    void a_file_is_replaced_as_a_whole_and_nothing_stays_beside_it() throws IOException {
        Path file = folder.resolve("a");
        DurableFile.replace(file, DurableFile.OWNER_ONLY, "one\n");
        DurableFile.replace(file, DurableFile.OWNER_ONLY, "zwö\n");
        assertThat(file).hasContent("zwö\n");
        assertThat(names()).containsExactly("a");
    }

    @Test
    void the_permissions_hold_before_the_first_byte() throws IOException {
        Path file = folder.resolve("key");
        Files.writeString(folder.resolve("key.new"), "the rest of a crash, readable by all");
        List<String> seen = new ArrayList<>();
        DurableFile.replace(file, DurableFile.OWNER_ONLY, out -> {
            seen.add(PosixFilePermissions.toString(Files.getPosixFilePermissions(folder.resolve("key.new"))));
            out.write('k');
        });
        seen.add(PosixFilePermissions.toString(Files.getPosixFilePermissions(file)));
        assertThat(seen).containsExactly("rw-------", "rw-------");
    }

    @Test
    void content_that_fails_leaves_the_old_file_and_no_rest() throws IOException {
        Path file = folder.resolve("a");
        DurableFile.replace(file, DurableFile.READABLE, "old");
        assertThatThrownBy(() -> DurableFile.replace(file, DurableFile.READABLE, out -> {
                    out.write("half".getBytes(StandardCharsets.US_ASCII));
                    throw new IOException("No space left on device");
                }))
                .hasMessage("No space left on device");
        assertThat(file).hasContent("old");
        assertThat(names()).containsExactly("a");
    }

    @Test
    void an_interrupted_thread_finishes_its_file_and_stays_interrupted() throws IOException {
        Path file = folder.resolve("deep/er/a");
        Thread.currentThread().interrupt();
        DurableFile.replace(file, DurableFile.OWNER_ONLY, "whole");
        assertThat(Thread.interrupted()).isTrue();
        assertThat(file).hasContent("whole");
    }

    @Test
    void a_file_that_is_there_is_not_emptied() throws IOException {
        Path file = folder.resolve("a");
        DurableFile.create(file, DurableFile.OWNER_ONLY);
        Files.writeString(file, "kept");
        DurableFile.create(file, DurableFile.OWNER_ONLY);
        assertThat(file).hasContent("kept");
    }
}
