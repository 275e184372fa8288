// SPDX-License-Identifier: Apache-2.0
package org.sextant.usid.explain;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.sextant.core.port.Capabilities;

class PipelinesTest {

    private static Capabilities of(String target) throws IOException {
        return Pipelines.capabilities(Files.readString(Path.of("../../pipeconfs/p4info/" + target + ".p4info.txtpb")));
    }

    @Test
    void a_linux_node_pushes_sixteen_segments_and_a_bmv2_node_six() throws IOException {
        assertThat(of("linux").maxSegments()).isEqualTo(16);
        assertThat(of("bmv2").maxSegments()).isEqualTo(6);
    }

    @Test
    void what_only_a_default_entry_may_have_is_not_offered() throws IOException {
        assertThat(of("linux").offers("my_sid", "un")).isTrue();
        assertThat(of("linux").offers("my_sid", "NoAction")).isFalse();
        assertThat(of("linux").offers("my_sid", "udt46")).isFalse();
    }

    @ParameterizedTest
    @ValueSource(strings = {"a {", "a }", "a: ", "a", "}", "a: \"x", "a {} ;"})
    void text_that_is_no_message_is_refused(String text) {
        assertThatThrownBy(() -> TextProto.parse(text)).isInstanceOf(IllegalArgumentException.class);
    }

    @Test
    void a_message_is_read_with_comments_and_strings() {
        TextProto message = TextProto.parse("# a comment\na: 1 a: -2\nb { c: \"x { y\" }");
        assertThat(message.values().get("a")).containsExactly("1", "-2");
        assertThat(message.message("b").value("c")).contains("x { y");
    }
}
