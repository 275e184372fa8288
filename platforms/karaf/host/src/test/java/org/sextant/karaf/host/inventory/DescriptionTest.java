// SPDX-License-Identifier: Apache-2.0
package org.sextant.karaf.host.inventory;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayNameGeneration;
import org.junit.jupiter.api.DisplayNameGenerator.ReplaceUnderscores;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.sextant.core.ProblemException;
import org.sextant.karaf.host.store.SqliteStore;

@DisplayNameGeneration(ReplaceUnderscores.class)
class DescriptionTest {
    @TempDir
    private Path folder;

    private Path file;
    private SqliteStore store;
    private final List<String> taken = new ArrayList<>();

    @BeforeEach
    void open() {
        file = folder.resolve("network.json");
        store = new SqliteStore(folder.resolve("store"));
    }

    @AfterEach
    void close() {
        store.close();
    }

    @Test
    void the_file_is_taken_and_taken_again_only_when_it_changes() throws IOException {
        Files.writeString(file, network("a"));
        Description description = start();
        description.checkFile();
        assertThat(taken).containsExactly("[a]");
        Files.writeString(file, network("b"));
        description.checkFile();
        description.checkFile();
        assertThat(taken).containsExactly("[a]", "[b]");
    }

    @Test
    void a_wrong_file_changes_nothing() throws IOException {
        Files.writeString(file, network("a"));
        Description description = start();
        Files.writeString(file, network("b").replace("grpc://", "telnet://").substring(1));
        description.checkFile();
        Files.delete(file);
        description.checkFile();
        start();
        assertThat(taken).containsExactly("[a]", "[a]");
    }

    @Test
    void what_was_loaded_stays_until_the_file_changes() throws IOException {
        Files.writeString(file, network("a"));
        start().load(network("b"));
        start();
        assertThat(taken).containsExactly("[a]", "[b]", "[b]");
        Files.writeString(file, network("c"));
        start();
        assertThat(taken).containsExactly("[a]", "[b]", "[b]", "[b]", "[c]");
    }

    @Test
    void a_wrong_document_is_refused_with_its_problems() {
        Description description = start();
        assertThatThrownBy(() -> description.load("{\"devices\": 7}"))
                .isInstanceOfSatisfying(
                        ProblemException.class,
                        e -> assertThat(e.problems())
                                .extracting(problem -> problem.field())
                                .contains("/devices"));
        assertThat(taken).isEmpty();
    }

    @Test
    void without_a_file_there_is_no_network_and_no_fault() {
        start();
        assertThat(taken).isEmpty();
    }

    private Description start() {
        Description description = new Description(
                store, file, network -> taken.add(network.nodes().keySet().toString()));
        description.start();
        return description;
    }

    private static String network(String name) {
        return """
            {"apps": {"org.sextant.srv6": {"srv6": {"block": "fcbb:bbbb::/32", "format": "F3216"}}},
             "devices": {"device:%s": {"basic": {"name": "%s", "managementAddress": "grpc://127.0.0.1:1?device_id=1",
             "pipeconf": "org.sextant.linux"}, "srv6": {"uSid": "0100", "encapSource": "fcff:1::1"}}}}
            """.formatted(name, name);
    }
}
