// SPDX-License-Identifier: Apache-2.0
package org.sextant.core.intent;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.DisplayNameGeneration;
import org.junit.jupiter.api.DisplayNameGenerator.ReplaceUnderscores;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Stories of the scheduler: the files of {@code stories} have events, and below each of them its effects
 * ({@link Story}). With {@code -Dstories.write=true} the effects are written to the files.
 */
@DisplayNameGeneration(ReplaceUnderscores.class)
class StoriesTest {
    private static final Path FOLDER = Path.of("src/test/resources/stories");

    static List<String> names() throws IOException {
        try (Stream<Path> files = Files.list(FOLDER)) {
            return files.map(file -> file.getFileName().toString()).sorted().toList();
        }
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource("names")
    void what_follows_from_each_event_is_as_the_file_says(String name) throws IOException {
        String text = Files.readString(FOLDER.resolve(name));
        String played = Story.play(text);
        if (Boolean.getBoolean("stories.write")) {
            Files.writeString(FOLDER.resolve(name), played);
        }
        assertThat(played).isEqualTo(text);
    }
}
