// SPDX-License-Identifier: Apache-2.0
package org.sextant.northbound.rest;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.InputStream;
import java.util.List;
import java.util.Map;
import javax.ws.rs.GET;
import javax.ws.rs.Path;
import javax.ws.rs.Produces;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.DisplayNameGeneration;
import org.junit.jupiter.api.DisplayNameGenerator.ReplaceUnderscores;
import org.junit.jupiter.api.Test;
import org.sextant.core.intent.IntentStatus;
import org.sextant.core.rest.RestResource;
import org.sextant.northbound.app.Notes;

/** Conditional GET (RFC 9110, 13.1). */
@DisplayNameGeneration(ReplaceUnderscores.class)
class EntityTagsTest {
    private int readers;
    private String padding = "";
    private final Notes notes = new Notes() {
        @Override
        public void detail(IntentStatus<String> status, ObjectNode view) {
            view.put("readers", readers).put("padding", padding);
        }
    };
    private final Client client = Client.of(notes, new Tree());

    /** A resource that is no list of intents. */
    @Path("tree")
    @Produces("application/json")
    public static final class Tree implements RestResource {
        @GET
        public ObjectNode get() {
            return JsonNodeFactory.instance.objectNode().put("height", 7);
        }
    }

    @AfterEach
    void close() {
        notes.close();
    }

    private Client.Answer get(String path, String header, String value) {
        return client.call("GET", path, Map.of(header, List.of(value)), InputStream.nullInputStream());
    }

    @Test
    void an_answer_that_the_client_has_is_304_without_a_body() {
        client.post("notes", "{'text':'a'}");
        for (String path : List.of("notes", "notes?limit=1", "notes/a", "notes/a/plan", "tree")) {
            String tag = client.get(path).etag();
            for (String known : List.of(tag, "\"x\", W/" + tag, "*")) {
                Client.Answer answer = get(path, "If-None-Match", known);
                assertThat(answer.status()).as(path).isEqualTo(304);
                assertThat(answer.etag()).isEqualTo(tag);
                assertThat(answer.bytes()).isZero();
            }
            for (String other : List.of("\"x\"", "")) {
                assertThat(get(path, "If-None-Match", other).status()).as(path).isEqualTo(200);
            }
        }
    }

    @Test
    void the_state_of_an_intent_changes_the_tag_and_not_its_part_that_changes_compare_with() {
        client.post("notes", "{'text':'a'}");
        String one = client.get("notes/a").etag();
        String list = client.get("notes").etag();
        readers = 1;
        assertThat(get("notes/a", "If-None-Match", one).status()).isEqualTo(200);
        assertThat(get("notes", "If-None-Match", list).status()).isEqualTo(200);
        assertThat(get("notes/a", "If-Match", one).status()).isEqualTo(412);
        assertThat(get(
                                "notes/a",
                                "If-Match",
                                client.get("notes/a").json().get("etag").textValue())
                        .status())
                .isEqualTo(200);
        assertThat(get("notes", "If-Match", list).status()).isEqualTo(412);
        assertThat(client.call("DELETE", "notes/a", Map.of("If-Match", List.of(one)), InputStream.nullInputStream())
                        .status())
                .isEqualTo(204);
    }

    @Test
    void a_get_if_match_is_judged() {
        client.post("notes", "{'text':'a'}");
        assertThat(get("notes/a", "If-Match", "*").status()).isEqualTo(200);
        assertThat(get("notes/a", "If-Match", "\"x\"").status()).isEqualTo(412);
        assertThat(get("notes/a", "If-Match", "").status()).isEqualTo(412);
        assertThat(get("notes/a", "If-Match", "x").status()).isEqualTo(400);
        assertThat(get("notes/b", "If-Match", "*").status()).isEqualTo(404);
    }

    @Test
    void a_list_that_is_streamed_has_no_tag() {
        client.post("notes", "[{'text':'a'},{'text':'b'}]");
        padding = "x".repeat(600_000);
        Client.Answer all = client.get("notes");
        assertThat(all.etag()).isNull();
        assertThat(all.json()).hasSize(2);
        assertThat(client.get("notes?limit=1").etag()).isNotNull();
    }
}
