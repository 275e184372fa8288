// SPDX-License-Identifier: Apache-2.0
package org.sextant.northbound.describe;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.IOException;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.DisplayNameGeneration;
import org.junit.jupiter.api.DisplayNameGenerator.ReplaceUnderscores;
import org.junit.jupiter.api.Test;
import org.sextant.core.shape.Field;
import org.sextant.core.shape.ObjectShape;
import org.sextant.core.shape.Text;
import org.sextant.kit.app.SrApp;
import org.sextant.northbound.app.Notes;

@DisplayNameGeneration(ReplaceUnderscores.class)
class AppOpenApiTest {
    private static final Field<String, String> TEXT =
            Field.required("text", "what it says", Text.upTo(9), "write something", note -> note);

    private static JsonNode described(String own) throws IOException {
        try (Notes notes = new Notes()) {
            return described(own, notes);
        }
    }

    private static JsonNode described(String own, SrApp<?> app) throws IOException {
        ObjectNode fragment = (ObjectNode) new ObjectMapper().readTree(own.replace('\'', '"'));
        AppOpenApi.complete(fragment, app);
        return fragment;
    }

    private static JsonNode declared(String own) throws IOException {
        try (Notes notes = new Notes() {
            @Override
            public Optional<ObjectShape<String>> shape() {
                return Optional.of(ObjectShape.of("a note", List.of(TEXT), values -> values.get(TEXT))
                        .named("Note"));
            }
        }) {
            return described(own, notes);
        }
    }

    @Test
    void paths_operations_and_schemas_are_in_the_words_of_the_app() throws IOException {
        JsonNode document = described("{'paths':{},'components':{'schemas':{'Note':{'type':'object'}}}}");
        assertThat(document.get("paths").fieldNames())
                .toIterable()
                .containsExactly("/notes", "/notes/{id}", "/notes/{id}/plan");
        assertThat(document.findValuesAsText("operationId"))
                .containsExactly(
                        "addNotes",
                        "listNotes",
                        "removeNotes",
                        "getNote",
                        "removeNote",
                        "changeNote",
                        "replaceNote",
                        "getNotePlan");
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
    void lists_and_single_intents_can_be_read_conditionally() throws IOException {
        JsonNode document = described("{'paths':{}}");
        for (String path : List.of("/notes", "/notes/{id}")) {
            JsonNode get = document.get("paths").get(path).get("get");
            assertThat(get.get("parameters").findValuesAsText("name")).contains("If-None-Match");
            assertThat(get.get("responses").has("304")).isTrue();
            assertThat(get.at("/responses/200/headers").has("ETag")).isTrue();
        }
    }

    @Test
    void a_patch_has_the_fields_of_the_document_and_requires_none() throws IOException {
        JsonNode document = described("{'paths':{},'components':{'schemas':{"
                + "'Note':{'type':'object','required':['text','ink'],'additionalProperties':false,'properties':{"
                + "'text':{'type':'string'},'ink':{'$ref':'#/components/schemas/Ink'},"
                + "'tags':{'type':'array','items':{'$ref':'#/components/schemas/Ink'}}}},"
                + "'Ink':{'type':'object','required':['color'],'properties':{'color':{'type':'string'}}}}}}");
        assertThat(document.at(
                                "/paths/~1notes~1{id}/patch/requestBody/content/application~1merge-patch+json/schema/$ref")
                        .textValue())
                .isEqualTo("#/components/schemas/NotePatch");
        JsonNode patch = document.at("/components/schemas/NotePatch");
        assertThat(patch.has("required")).isFalse();
        assertThat(patch.at("/additionalProperties").booleanValue()).isFalse();
        assertThat(patch.at("/properties").toString())
                .isEqualTo(("{'text':{'type':'string','nullable':true},"
                                + "'ink':{'allOf':[{'$ref':'#/components/schemas/InkPatch'}],'nullable':true},"
                                + "'tags':{'type':'array','items':{'$ref':'#/components/schemas/Ink'},'nullable':true}}")
                        .replace('\'', '"'));
        assertThat(document.at("/components/schemas/InkPatch").has("required")).isFalse();
    }

    @Test
    void a_document_has_the_kind_the_name_and_the_rest_of_the_intent() throws IOException {
        JsonNode schemas = described(
                        "{'paths':{},'components':{'schemas':{'Note':{'type':'object','required':['text','size'],"
                                + "'properties':{'text':{'type':'string','maxLength':9},'size':{'type':'integer'}}}}}}")
                .at("/components/schemas");
        assertThat(schemas.get("NoteSpec").toString())
                .isEqualTo("{'type':'object','properties':{'size':{'type':'integer'}},'required':['size']}"
                        .replace('\'', '"'));
        JsonNode document = schemas.get("NoteDocument");
        assertThat(document.get("required").toString()).isEqualTo("[\"kind\",\"name\",\"spec\"]");
        assertThat(document.at("/properties/kind/enum/0").textValue()).isEqualTo("note");
        assertThat(document.at("/properties/name/maxLength").intValue()).isEqualTo(9);
        assertThat(document.at("/properties/spec/$ref").textValue()).isEqualTo("#/components/schemas/NoteSpec");
        assertThat(schemas.get("Document").toString())
                .isEqualTo(("{'oneOf':[{'$ref':'#/components/schemas/NoteDocument'}],'discriminator':"
                                + "{'propertyName':'kind','mapping':{'note':'#/components/schemas/NoteDocument'}}}")
                        .replace('\'', '"'));
    }

    @Test
    void what_the_app_describes_itself_is_left_as_it_is() throws IOException {
        JsonNode document = described("{'paths':{'/notes/{id}':{'options':{'operationId':'askNote'}}},"
                + "'components':{'schemas':{'NoteStatus':{'type':'string'}}}}");
        assertThat(document.at("/components/schemas/NoteStatus/type").textValue())
                .isEqualTo("string");
        assertThat(document.at("/paths/~1notes~1{id}/options/operationId").textValue())
                .isEqualTo("askNote");
        assertThat(document.at("/paths/~1notes~1{id}/get/operationId").textValue())
                .isEqualTo("getNote");
    }

    @Test
    void the_schema_of_an_intent_comes_from_its_declaration() throws IOException {
        JsonNode schema = declared("{'paths':{}}").at("/components/schemas/Note");
        assertThat(schema.at("/properties/text").toString())
                .isEqualTo("{'description':'what it says','type':'string','maxLength':9}".replace('\'', '"'));
        assertThat(schema.at("/required/0").textValue()).isEqualTo("text");
    }

    @Test
    void a_schema_that_is_declared_and_described_otherwise_is_refused() {
        assertThatThrownBy(() -> declared("{'components':{'schemas':{'Note':{'type':'object'}}}}"))
                .hasMessage("schema Note is declared by a shape and described once more: remove it from schemas.json");
    }
}
