// SPDX-License-Identifier: Apache-2.0
package org.sextant.northbound.app;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.DisplayNameGeneration;
import org.junit.jupiter.api.DisplayNameGenerator.ReplaceUnderscores;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.sextant.core.ProblemException;

@DisplayNameGeneration(ReplaceUnderscores.class)
class MergePatchTest {
    private static MergePatch patch(String json) throws IOException {
        return MergePatch.read(64 << 10, new ByteArrayInputStream(json.getBytes(StandardCharsets.UTF_8)));
    }

    /** The examples of RFC 7396, appendix A, that are about objects. */
    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '\'',
            value = {
                "{\"a\":\"b\"} | {\"a\":\"c\"} | {\"a\":\"c\"}",
                "{\"a\":\"b\"} | {\"b\":\"c\"} | {\"a\":\"b\",\"b\":\"c\"}",
                "{\"a\":\"b\"} | {\"a\":null} | {}",
                "{\"a\":\"b\",\"b\":\"c\"} | {\"a\":null} | {\"b\":\"c\"}",
                "{\"a\":[\"b\"]} | {\"a\":\"c\"} | {\"a\":\"c\"}",
                "{\"a\":\"c\"} | {\"a\":[\"b\"]} | {\"a\":[\"b\"]}",
                "{\"a\":{\"b\":\"c\"}} | {\"a\":{\"b\":\"d\",\"c\":null}} | {\"a\":{\"b\":\"d\"}}",
                "{\"a\":[{\"b\":\"c\"}]} | {\"a\":[1]} | {\"a\":[1]}",
                "{\"e\":null} | {\"a\":1} | {\"e\":null,\"a\":1}",
                "{} | {\"a\":{\"bb\":{\"ccc\":null}}} | {\"a\":{\"bb\":{}}}"
            })
    void a_patch_looks_like_what_it_changes(String target, String patch, String result) throws IOException {
        ObjectMapper mapper = new ObjectMapper();
        ObjectNode document = (ObjectNode) mapper.readTree(target);
        assertThat(patch(patch).applied(document)).isEqualTo(mapper.readTree(result));
        assertThat(document).as("left as it is").isEqualTo(mapper.readTree(target));
    }

    @Test
    void what_is_no_object_would_replace_all_of_it_and_is_refused() {
        for (String json : new String[] {"[\"c\"]", "null", "\"bar\"", "3"}) {
            assertThatThrownBy(() -> patch(json))
                    .isInstanceOf(ProblemException.class)
                    .hasMessageContaining("a merge patch is a JSON object");
        }
        assertThatThrownBy(() -> patch("{")).isInstanceOf(ProblemException.class);
    }
}
