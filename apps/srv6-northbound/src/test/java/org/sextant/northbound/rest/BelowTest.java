// SPDX-License-Identifier: Apache-2.0
package org.sextant.northbound.rest;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.DisplayNameGeneration;
import org.junit.jupiter.api.DisplayNameGenerator.ReplaceUnderscores;
import org.junit.jupiter.api.Test;
import org.sextant.northbound.app.Notes;
import org.sextant.northbound.app.Remarks;
import org.sextant.northbound.cli.Typed;

/** An app whose intents belong to those of another: REST and shell. */
@DisplayNameGeneration(ReplaceUnderscores.class)
class BelowTest {
    private final Notes notes = new Notes();
    private final Remarks remarks = new Remarks(notes);
    private final Client client =
            Client.of(RestApplication.of(Set.of(new AppResource<>(notes), new AppResource<>(remarks))));

    @AfterEach
    void close() {
        notes.close();
    }

    private Client.Answer patch(String path, String type, String body) {
        return client.call("PATCH", path, type, body(body));
    }

    private static ByteArrayInputStream body(String json) {
        return new ByteArrayInputStream(json.replace('\'', '"').getBytes(StandardCharsets.UTF_8));
    }

    private Typed typed(String command, String... words) {
        return piped("", command, words);
    }

    private Typed piped(String input, String command, String... words) {
        return Typed.run(Typed.command(remarks, command), input, words);
    }

    @Test
    void what_belongs_to_one_stands_below_it_and_ids_are_those_that_are_unique_there() {
        client.post("notes", "[{'text':'a'},{'text':'b'}]");
        Client.Answer posted = client.post("notes/a/remarks", "{'id':'r1','text':'good'}");
        assertThat(posted.status()).isEqualTo(201);
        assertThat(posted.location()).endsWith("/notes/a/remarks/r1");
        assertThat(posted.json().at("/id").textValue()).isEqualTo("r1");
        assertThat(posted.json().at("/whole").textValue()).isEqualTo("a/r1");
        assertThat(client.post("notes/b/remarks", "[{'id':'r1','text':'bad'},{'id':'r2'},{'id':'r/3'}]")
                        .json()
                        .findValuesAsText("status"))
                .containsExactly("201", "201", "400");
        assertThat(client.get("notes/b/remarks").json().findValuesAsText("id")).contains("r1", "r2");
        assertThat(client.get("notes/b/remarks?limit=1").link()).contains("notes/b/remarks?limit=1&after=r1");
        assertThat(client.get("notes/b/remarks?after=r1").json()).hasSize(1);
        assertThat(client.get("notes/a/remarks").json()).hasSize(1);
        assertThat(client.get("notes/a/remarks/r1/plan")
                        .json()
                        .at("/warnings/0")
                        .textValue())
                .isEqualTo("on the note a");
        assertThat(client.get("notes/a/remarks/r2").json().at("/detail").textValue())
                .isEqualTo("/id: there is no remark \"r2\"; list the remarks to see what there is");
        assertThat(client.post("notes/a/remarks?dryRun=true", "{'id':'r9'}")
                        .json()
                        .at("/warnings/0")
                        .textValue())
                .isEqualTo("on the note a");
        assertThat(client.get("notes/a").status()).isEqualTo(200);
        assertThat(client.delete("notes/b").json().at("/detail").textValue())
                .contains("note \"b\" is needed by 2 others: remark \"b/r1\", remark \"b/r2\"");
        assertThat(client.delete("notes/b/remarks/r1").status()).isEqualTo(204);
        assertThat(client.delete("notes/b/remarks?all=true")
                        .json()
                        .at("/removed/0")
                        .textValue())
                .isEqualTo("r2");
        assertThat(client.delete("notes/b").status()).isEqualTo(204);
        assertThat(client.get("notes/a/remarks").json()).hasSize(1);
    }

    @Test
    void one_is_replaced_at_its_own_address_and_the_kind_says_what_follows() {
        client.post("notes", "{'text':'a'}");
        client.post("notes/a/remarks", "{'id':'r1','text':'good','stars':3}");
        Client.Answer put = client.call("PUT", "notes/a/remarks/r1", body("{'id':'r1','text':'better','stars':1}"));
        assertThat(put.status()).isEqualTo(200);
        assertThat(put.json().at("/remark/text").textValue()).isEqualTo("better");
        assertThat(put.json().at("/remark/stars").intValue()).isEqualTo(3);
        assertThat(client.call("PUT", "notes/a/remarks/r1?dryRun=true", body("{'id':'r1','text':'x'}"))
                        .json()
                        .has("warnings"))
                .isTrue();
        Client.Answer other = client.call("PUT", "notes/a/remarks/r1", body("{'id':'r2','text':'better'}"));
        assertThat(other.status()).isEqualTo(400);
        assertThat(other.json().at("/errors/0/field").textValue()).isEqualTo("/id");
        Client.Answer tried = client.call("PUT", "notes/a/remarks/r1?dryRun=true", body("{'id':'r2','text':'better'}"));
        assertThat(tried.status()).isEqualTo(400);
        assertThat(tried.json().at("/errors")).isEqualTo(other.json().at("/errors"));
        assertThat(client.call("PUT", "notes/a/remarks/r9", body("{'id':'r9'}")).status())
                .isEqualTo(404);
        assertThat(client.as("viewer")
                        .call("PUT", "notes/a/remarks/r1", body("{'id':'r1'}"))
                        .status())
                .isEqualTo(403);
    }

    @Test
    void below_what_is_not_there_is_nothing() {
        for (Client.Answer answer : List.of(
                client.get("notes/z/remarks"),
                client.post("notes/z/remarks", "{'id':'r1'}"),
                client.delete("notes/z/remarks?all=true"),
                patch("notes/z/remarks/r1", "application/json", "{}"))) {
            assertThat(answer.status()).isEqualTo(404);
            assertThat(answer.json().at("/detail").textValue()).contains("there is no note \"z\"");
        }
    }

    @Test
    void a_patch_changes_what_it_names_and_leaves_the_rest() {
        client.post("notes", "{'text':'a'}");
        client.post("notes/a/remarks", "{'id':'r1','text':'good','stars':3}");
        for (String type : List.of("application/merge-patch+json", "application/json")) {
            Client.Answer changed = patch("notes/a/remarks/r1", type, "{'stars':4}");
            assertThat(changed.status()).isEqualTo(200);
            assertThat(changed.json().get("remark").toString())
                    .isEqualTo("{\"note\":\"a\",\"id\":\"r1\",\"text\":\"good\",\"stars\":4}");
        }
        assertThat(patch("notes/a/remarks/r1", "application/json", "{'text':null}")
                        .json()
                        .at("/remark/text")
                        .textValue())
                .isEmpty();
        assertThat(patch("notes/a/remarks/r1", "application/json", "{'stars':6}")
                        .json()
                        .at("/errors/0/field")
                        .textValue())
                .isEqualTo("/stars");
        Client.Answer renamed = patch("notes/a/remarks/r1", "application/json", "{'id':'r2'}");
        assertThat(renamed.status()).isEqualTo(400);
        assertThat(renamed.json().at("/detail").textValue()).contains("that would be another remark");
        assertThat(patch("notes/a/remarks/r7", "application/json", "{'stars':1}")
                        .status())
                .isEqualTo(404);
        assertThat(patch("notes/a/remarks/r1", "text/plain", "{'stars':1}").status())
                .isEqualTo(415);
        assertThat(client.as("viewer")
                        .call("PATCH", "notes/a/remarks/r1", "application/json", body("{'stars':1}"))
                        .status())
                .isEqualTo(403);
        Client.Answer dryRun = patch("notes/a/remarks/r1?dryRun=true", "application/json", "{'stars':6}");
        assertThat(dryRun.status()).isEqualTo(400);
        assertThat(dryRun.json().at("/errors/0/field").textValue()).isEqualTo("/stars");
        String before = client.get("notes/a/remarks/r1").json().toString();
        assertThat(patch("notes/a/remarks/r1?dryRun=true", "application/json", "{'text':'tried'}")
                        .json()
                        .has("entries"))
                .isTrue();
        assertThat(client.get("notes/a/remarks/r1").json().toString()).isEqualTo(before);
    }

    /** Each of many writers changes another field, all at once. */
    @Test
    void changes_of_the_same_one_at_the_same_time_are_all_there() throws InterruptedException, ExecutionException {
        client.post("notes", "{'text':'a'}");
        client.post("notes/a/remarks", "{'id':'r1','text':'none'}");
        ExecutorService writers = Executors.newFixedThreadPool(8);
        try {
            List<Callable<Integer>> changes = IntStream.range(0, 400)
                    .<Callable<Integer>>mapToObj(i -> () -> patch(
                                    "notes/a/remarks/r1",
                                    "application/json",
                                    i % 2 == 0 ? "{'stars':" + i % 6 + "}" : "{'text':'" + i + "'}")
                            .status())
                    .toList();
            for (Future<Integer> answer : writers.invokeAll(changes.subList(0, 398))) {
                assertThat(answer.get()).as("202: another is on its way").isIn(200, 202);
            }
            List<Callable<Integer>> last = List.of(
                    () -> patch("notes/a/remarks/r1", "application/json", "{'stars':5}")
                            .status(),
                    () -> patch("notes/a/remarks/r1", "application/json", "{'text':'last'}")
                            .status());
            for (Future<Integer> answer : writers.invokeAll(last)) {
                assertThat(answer.get()).as("202: another is on its way").isIn(200, 202);
            }
        } finally {
            writers.shutdownNow();
        }
        JsonNode remark = client.get("notes/a/remarks/r1").json().get("remark");
        assertThat(remark.get("stars").intValue()).isEqualTo(5);
        assertThat(remark.get("text").textValue()).isEqualTo("last");
    }

    @Test
    void commands_are_told_first_below_which_one() {
        client.post("notes", "[{'text':'a'},{'text':'b'}]");
        Typed added = typed("remark-add", "a", "r1", "good");
        assertThat(added.err()).isEmpty();
        assertThat(added.out()).startsWith("r1  INSTALLED");
        assertThat(typed("remark-add", "z", "r1", "good").err()).contains("there is no note \"z\"");
        assertThat(piped("[{\"id\":\"r2\"},{\"id\":\"r3\"}]", "remark-add", "b", "--file", "-")
                        .out())
                .startsWith("2 created");
        assertThat(typed("remarks", "b").out()).contains("r2", "r3").doesNotContain("r1");
        assertThat(typed("remark", "a", "r1", "--json")
                        .json()
                        .at("/remark/text")
                        .textValue())
                .isEqualTo("good");
        assertThat(typed("remark-explain", "a", "r1").out()).contains("on the note a");
        assertThat(typed("remark-explain", "a", "r8", "bad").out()).contains("on the note a");
        assertThat(typed("remark-remove", "b", "r2", "r3").out()).isEqualTo("removed r2, r3\n");
        assertThat(typed("remark-remove", "a", "--all").out()).isEqualTo("removed r1\n");
        assertThat(typed("remarks").status()).isEqualTo(2);
        assertThat(typed("remarks", "--help").out()).contains("NOTE");
    }

    @Test
    void tab_knows_those_above_and_then_those_that_belong_to_the_one_typed() {
        client.post("notes", "[{'text':'a'},{'text':'b'}]");
        client.post("notes/a/remarks", "{'id':'r1','text':'good'}");
        client.post("notes/b/remarks", "{'id':'r2','text':'good'}");
        assertThat(Typed.tab(Typed.command(remarks, "remark"), List.of(), "")).containsExactly("a", "b");
        assertThat(Typed.tab(Typed.command(remarks, "remark"), List.of("a"), ""))
                .containsExactly("r1");
        assertThat(Typed.tab(Typed.command(remarks, "remark-remove"), List.of("b", "r2"), ""))
                .containsExactly("r2");
        assertThat(Typed.tab(Typed.command(remarks, "remark-explain"), List.of("b"), ""))
                .containsExactly("r2");
        assertThat(Typed.tab(Typed.command(remarks, "remark-add"), List.of("b", "r9"), ""))
                .containsExactly("bad", "good");
        assertThat(Typed.tab(Typed.command(remarks, "remark"), List.of("z"), ""))
                .isEmpty();
    }

    @Test
    void what_is_described_says_below_which_one_and_how_one_is_changed() throws IOException {
        ObjectNode fragment =
                (ObjectNode) new ObjectMapper().readTree("{\"paths\":{},\"components\":{\"schemas\":{\"Remark\":{}}}}");
        org.sextant.northbound.describe.Described.complete(fragment, remarks);
        assertThat(fragment.get("paths").fieldNames())
                .toIterable()
                .containsExactly(
                        "/notes/{note}/remarks", "/notes/{note}/remarks/{id}", "/notes/{note}/remarks/{id}/plan");
        for (JsonNode path : fragment.get("paths")) {
            for (JsonNode operation : path) {
                assertThat(operation.at("/parameters/0/name").textValue()).isEqualTo("note");
                assertThat(operation.at("/parameters/0/in").textValue()).isEqualTo("path");
            }
        }
        assertThat(fragment.at("/paths/~1notes~1{note}~1remarks~1{id}/patch/operationId")
                        .textValue())
                .isEqualTo("changeRemark");
        assertThat(fragment.toString()).doesNotContain("${");
    }
}
