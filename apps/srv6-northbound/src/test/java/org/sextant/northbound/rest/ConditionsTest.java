// SPDX-License-Identifier: Apache-2.0
package org.sextant.northbound.rest;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayInputStream;
import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayNameGeneration;
import org.junit.jupiter.api.DisplayNameGenerator.ReplaceUnderscores;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.sextant.northbound.app.Notes;
import org.sextant.northbound.app.Remarks;

/** Conditional requests (RFC 9110, 13) on the resources of every app. */
@DisplayNameGeneration(ReplaceUnderscores.class)
class ConditionsTest {
    private static final String R1 = "notes/a/remarks/r1";

    private final Notes notes = new Notes();
    private final Client client = Client.of(List.of(notes, new Remarks(notes)));

    @BeforeEach
    void one_remark() {
        client.post("notes", "{'text':'a'}");
        post("good", Map.of());
    }

    @AfterEach
    void close() {
        notes.close();
    }

    private Client.Answer call(String method, String path, Map<String, String> headers, String json) {
        Map<String, List<String>> lines = new HashMap<>(Map.of("Content-Type", List.of("application/json")));
        headers.forEach((name, value) -> lines.put(name, List.of(value)));
        return client.call(
                method,
                path,
                lines,
                new ByteArrayInputStream(json.replace('\'', '"').getBytes(StandardCharsets.UTF_8)));
    }

    private Client.Answer post(String text, Map<String, String> headers) {
        return call("POST", "notes/a/remarks", headers, remark(text));
    }

    private static String remark(String text) {
        return "{'id':'r1','text':'" + text + "'}";
    }

    private String text() {
        return client.get(R1).json().at("/remark/text").textValue();
    }

    private String etag() {
        return client.get(R1).json().at("/etag").textValue();
    }

    @Test
    void who_reads_one_is_told_its_entity_tag_and_it_is_another_when_the_content_is() {
        String first = etag();
        assertThat(first).matches("\"[0-9a-f]{32}\"");
        assertThat(client.get(R1).etag()).startsWith(first.substring(0, first.length() - 1) + ".");
        assertThat(client.get("notes/a/remarks").json().at("/0/etag").textValue())
                .isEqualTo(first);
        Client.Answer changed = post("better", Map.of());
        assertThat(changed.etag()).isNotEqualTo(first).isEqualTo(etag());
        assertThat(post("good", Map.of()).etag()).isEqualTo(first);
    }

    @Test
    void what_was_changed_since_it_was_read_is_not_replaced_and_the_answer_has_the_tag_that_it_has_now() {
        String read = etag();
        post("better", Map.of());
        for (Client.Answer refused : List.of(
                post("worse", Map.of("If-Match", read)),
                call("POST", "notes/a/remarks?dryRun=true", Map.of("If-Match", read), remark("worse")),
                call("PUT", R1, Map.of("If-Match", read), remark("worse")),
                call("PUT", R1 + "?dryRun=true", Map.of("If-Match", read), remark("worse")),
                call("PATCH", R1, Map.of("If-Match", read), "{'text':'worse'}"),
                call("DELETE", R1, Map.of("If-Match", read), ""))) {
            assertThat(refused.status()).isEqualTo(412);
            assertThat(refused.type()).isEqualTo("application/problem+json");
            assertThat(refused.etag()).isEqualTo(etag());
            assertThat(refused.json().at("/errors/0/code").textValue()).isEqualTo("PRECONDITION");
            assertThat(refused.json().at("/detail").textValue())
                    .startsWith("remark \"a/r1\" is not what it was any more");
        }
        assertThat(text()).isEqualTo("better");
        assertThat(call("PUT", R1, Map.of("If-Match", etag()), remark("best")).status())
                .isEqualTo(200);
        assertThat(call("PATCH", R1, Map.of("If-Match", etag()), "{'text':'good'}")
                        .etag())
                .isEqualTo(read);
        assertThat(call("DELETE", R1, Map.of("If-Match", read), "").status()).isEqualTo(204);
    }

    @Test
    void what_is_gone_is_not_made_anew_and_nothing_is_said_to_be_there() {
        String read = etag();
        client.delete(R1);
        Client.Answer refused = post("better", Map.of("If-Match", read));
        assertThat(refused.status()).isEqualTo(412);
        assertThat(refused.etag()).isNull();
        assertThat(refused.json().at("/detail").textValue()).startsWith("there is no remark \"a/r1\" any more");
        assertThat(call("DELETE", R1, Map.of("If-Match", read), "").status()).isEqualTo(404);
    }

    @Test
    void what_must_be_new_replaces_nothing() {
        Client.Answer refused = post("better", Map.of("If-None-Match", "*"));
        assertThat(refused.status()).isEqualTo(412);
        assertThat(refused.etag()).isEqualTo(etag());
        assertThat(text()).isEqualTo("good");
        client.delete(R1);
        assertThat(post("better", Map.of("If-None-Match", "*")).status()).isEqualTo(201);
    }

    @Test
    void a_list_of_tags_and_a_weak_one_mean_what_the_standard_says() {
        String read = etag();
        assertThat(post("worse", Map.of("If-Match", "W/" + read)).status()).isEqualTo(412);
        assertThat(post("worse", Map.of("If-None-Match", "W/" + read)).status()).isEqualTo(412);
        assertThat(post("worse", Map.of("If-None-Match", "\"x\"")).status()).isEqualTo(200);
        assertThat(post("good", Map.of("If-Match", "\"a,b\" , " + etag())).status())
                .isEqualTo(200);
        assertThat(post("better", Map.of("If-Match", "*")).status()).isEqualTo(200);
    }

    @ParameterizedTest
    @ValueSource(strings = {"abc", "\"a\" \"b\"", "*, \"a\"", "\"a"})
    void what_is_no_entity_tag_is_refused_and_changes_nothing(String header) {
        Client.Answer refused = post("worse", Map.of("If-Match", header));
        assertThat(refused.status()).isEqualTo(400);
        assertThat(refused.json().at("/errors/0/field").textValue()).isEqualTo("/If-Match");
        assertThat(text()).isEqualTo("good");
    }

    @Test
    void of_several_nothing_of_one_can_be_said() {
        for (Client.Answer refused : List.of(
                call("POST", "notes/a/remarks", Map.of("If-None-Match", "*"), "[" + remark("x") + "]"),
                call("POST", "notes/a/remarks?dryRun=true", Map.of("If-Match", "*"), "[" + remark("x") + "]"),
                call("DELETE", "notes/a/remarks?ids=r1", Map.of("If-Match", "*"), ""),
                call("DELETE", "notes/a/remarks?all=true", Map.of("If-Match", "*"), ""))) {
            assertThat(refused.status()).isEqualTo(400);
            assertThat(refused.json().at("/errors/0/message").textValue())
                    .isEqualTo("an ETag is of one of the remarks, not of several");
        }
        assertThat(text()).isEqualTo("good");
    }

    @Test
    void a_list_of_thousands_of_tags_is_read_to_its_end() {
        String many = "\"a\", ".repeat(5_000);
        assertThat(post("better", Map.of("If-Match", many + etag())).status()).isEqualTo(200);
        assertThat(post("best", Map.of("If-Match", many + "\"b\"")).status()).isEqualTo(412);
        assertThat(post("best", Map.of("If-Match", many + "b")).status()).isEqualTo(400);
        assertThat(post("best", Map.of("If-Match", " ".repeat(20_000) + "b")).status())
                .isEqualTo(400);
        assertThat(text()).isEqualTo("better");
    }

    @Test
    void a_list_may_have_empty_elements() {
        assertThat(post("better", Map.of("If-Match", ", " + etag() + " ,,")).status())
                .isEqualTo(200);
    }

    @ParameterizedTest
    @ValueSource(strings = {"", " ", " , ,"})
    void an_empty_list_of_tags_matches_nothing(String header) {
        assertThat(post("worse", Map.of("If-Match", header)).status()).isEqualTo(412);
        assertThat(call("DELETE", R1, Map.of("If-Match", header), "").status()).isEqualTo(412);
        assertThat(text()).isEqualTo("good");
        assertThat(post("better", Map.of("If-None-Match", header)).status()).isEqualTo(200);
    }
}
