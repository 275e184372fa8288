// SPDX-License-Identifier: Apache-2.0
package org.sextant.northbound.describe;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.IOException;
import org.junit.jupiter.api.DisplayNameGeneration;
import org.junit.jupiter.api.DisplayNameGenerator.ReplaceUnderscores;
import org.junit.jupiter.api.Test;
import org.sextant.northbound.app.Notes;

@DisplayNameGeneration(ReplaceUnderscores.class)
class AppOpenApiTest {
    private static JsonNode described(String own) throws IOException {
        ObjectNode fragment = (ObjectNode) new ObjectMapper().readTree(own.replace('\'', '"'));
        try (Notes notes = new Notes()) {
            AppOpenApi.complete(fragment, notes);
        }
        return fragment;
    }

    @Test
    void paths_operations_and_schemas_are_in_the_words_of_the_app() throws IOException {
        JsonNode document = described("{'paths':{},'components':{'schemas':{'Note':{'type':'object'}}}}");
        assertThat(document.get("paths").fieldNames())
                .toIterable()
                .containsExactly("/notes", "/notes/{id}", "/notes/{id}/plan");
        assertThat(document.findValuesAsText("operationId"))
                .containsExactly("addNotes", "listNotes", "removeNotes", "getNote", "removeNote", "getNotePlan");
        JsonNode body = document.at("/paths/~1notes/post/requestBody/content/application~1json");
        assertThat(body.at("/schema/$ref").textValue()).isEqualTo("#/components/schemas/NoteOrList");
        assertThat(body.at("/examples/a note/value/text").textValue()).isEqualTo("hello");
        assertThat(document.at("/paths/~1notes/delete/description").textValue())
                .isEqualTo("With ids those; with all=true every note.");
        assertThat(document.toString()).doesNotContain("${");
        for (JsonNode reference : document.findValues("$ref")) {
            assertThat(document.at(reference.textValue().substring(1)).isObject())
                    .as(reference.textValue())
                    .isTrue();
        }
    }

    @Test
    void what_the_app_describes_itself_is_left_as_it_is() throws IOException {
        JsonNode document = described("{'paths':{'/notes/{id}':{'patch':{'operationId':'changeNote'}}},"
                + "'components':{'schemas':{'NoteStatus':{'type':'string'}}}}");
        assertThat(document.at("/components/schemas/NoteStatus/type").textValue())
                .isEqualTo("string");
        assertThat(document.at("/paths/~1notes~1{id}/patch/operationId").textValue())
                .isEqualTo("changeNote");
        assertThat(document.at("/paths/~1notes~1{id}/get/operationId").textValue())
                .isEqualTo("getNote");
    }
}
