// SPDX-License-Identifier: Apache-2.0
package org.sextant.northbound.rest;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import java.nio.file.Path;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.DisplayNameGeneration;
import org.junit.jupiter.api.DisplayNameGenerator.ReplaceUnderscores;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.sextant.northbound.app.Notes;
import org.sextant.northbound.app.Remarks;
import org.sextant.northbound.app.Seats;
import org.sextant.northbound.audit.AuditLog;
import org.sextant.northbound.audit.TestAuditLog;

/** Lists of notes, remarks on them, and guests that exclude each other. */
@DisplayNameGeneration(ReplaceUnderscores.class)
class ApplyResourceTest {
    private static final String NOTE = "{'kind':'note','name':'a','spec':{}}";
    private static final String REMARK = "{'kind':'remark','note':'a','name':'r1','spec':{'text':'good','stars':3}}";
    private static final String GUEST = "{'kind':'guest','name':'ann','spec':{'seat':1}}";

    @TempDir
    private Path folder;

    private final Notes notes = new Notes();
    private final Remarks remarks = new Remarks(notes);
    private final Seats seats = new Seats(notes.engine());
    private final ApplyResource resource = new ApplyResource();
    private final Client client;

    ApplyResourceTest() {
        resource.engine = notes.engine();
        List.of(notes, remarks, seats).forEach(resource::addApp);
        client = Client.of(List.of(notes, remarks, seats), resource);
    }

    @AfterEach
    void close() {
        notes.close();
    }

    private Client.Answer apply(String... documents) {
        return client.post("apply", list(documents));
    }

    private Client.Answer dryRun(String... documents) {
        return client.post("apply?dryRun=true", list(documents));
    }

    private static String list(String... documents) {
        return "[" + String.join(",", documents) + "]";
    }

    private static List<String> actions(Client.Answer answer) {
        return answer.json().findValuesAsText("action");
    }

    private static JsonNode error(Client.Answer answer) {
        return answer.json().at("/errors/0");
    }

    private int stored() {
        return notes.store().all("intents").size();
    }

    @Test
    void documents_of_several_kinds_are_stored_in_one_commit_in_the_order_of_their_references() {
        int before = notes.store().writes();
        Client.Answer answer = apply(REMARK, GUEST, NOTE);
        assertThat(answer.status()).isEqualTo(200);
        assertThat(actions(answer)).containsExactly("created", "created", "created");
        assertThat(answer.json().at("/created").intValue()).isEqualTo(3);
        assertThat(answer.json().at("/items/0").toString())
                .isEqualTo(("{'kind':'remark','note':'a','name':'r1','action':'created','state':'INSTALLED',"
                                + "'changes':[],'warnings':['on the note a']}")
                        .replace('\'', '"'));
        assertThat(notes.store().writes()).isEqualTo(before + 1);
        assertThat(client.get("notes/a/remarks/r1").status()).isEqualTo(200);
        assertThat(client.get("guests/ann").status()).isEqualTo(200);
    }

    @Test
    void the_same_documents_again_change_nothing_and_write_nothing() {
        apply(NOTE, REMARK, GUEST);
        int before = notes.store().writes();
        Client.Answer again = apply(GUEST, NOTE, REMARK);
        assertThat(again.status()).isEqualTo(200);
        assertThat(actions(again)).containsExactly("unchanged", "unchanged", "unchanged");
        assertThat(notes.store().writes()).isEqualTo(before);
    }

    @Test
    void a_change_is_shown_by_its_fields_with_old_and_new_values() {
        apply(NOTE, REMARK);
        Client.Answer answer = apply(NOTE, REMARK.replace("good", "better"));
        assertThat(actions(answer)).containsExactly("unchanged", "changed");
        assertThat(answer.json().at("/changed").intValue()).isEqualTo(1);
        assertThat(answer.json().at("/items/1/changes").toString())
                .isEqualTo("[{'field':'/spec/text','old':'good','new':'better'}]".replace('\'', '"'));
        assertThat(client.get("notes/a/remarks/r1").json().at("/remark/text").textValue())
                .isEqualTo("better");
    }

    @Test
    void a_dry_run_shows_the_same_and_changes_nothing() {
        apply(NOTE, REMARK);
        int before = notes.store().writes();
        // A remark keeps the most stars that it had: the difference is to the intent that would be stored.
        Client.Answer answer =
                dryRun(GUEST, NOTE, REMARK.replace("good", "better").replace("3", "1"));
        assertThat(answer.status()).isEqualTo(200);
        assertThat(answer.json().at("/dryRun").booleanValue()).isTrue();
        assertThat(actions(answer)).containsExactly("created", "unchanged", "changed");
        assertThat(answer.json().at("/items/2/changes").toString())
                .isEqualTo("[{'field':'/spec/text','old':'good','new':'better'}]".replace('\'', '"'));
        assertThat(answer.json().findValue("state")).isNull();
        assertThat(notes.store().writes()).isEqualTo(before);
        assertThat(client.get("guests").json()).isEmpty();
    }

    @Test
    void a_document_that_is_refused_keeps_all_others_out_and_is_named_by_its_field() {
        for (String path : List.of("apply", "apply?dryRun=true")) {
            Client.Answer decoded = client.post(path, list(NOTE, GUEST, REMARK.replace("3", "7")));
            assertThat(decoded.status()).isEqualTo(400);
            assertThat(decoded.type()).isEqualTo("application/problem+json");
            assertThat(error(decoded).at("/field").textValue()).isEqualTo("/2/spec/stars");
            Client.Answer compiled = client.post(path, list(GUEST, REMARK));
            assertThat(compiled.status()).isEqualTo(422);
            assertThat(compiled.json().at("/errors")).hasSize(1);
            assertThat(error(compiled).at("/field").textValue()).isEqualTo("/1/note");
            assertThat(error(compiled).at("/message").textValue()).isEqualTo("there is no note \"a\"");
        }
        assertThat(stored()).isZero();
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '`',
            value = {
                "{'kind':'remrak','name':'a'}              | /0/kind      | there is no kind \"remrak\"      | did you mean remark?",
                "{'kind':'policy','name':'a'}              | /0/kind      | there is no kind \"policy\"      | the kinds are guest, note, remark",
                "{'name':'a','spec':{}}                    | /0/kind      | \"kind\" is missing              | name one of guest, note, remark",
                "{'kind':7}                                | /0/kind      | a string is wanted here, not the number 7 | write it in quotes",
                "{'kind':'note','spec':{}}                 | /0/name      | \"name\" is missing              | give the name of the note, by which it is found again",
                "{'kind':'note','name':'a'}                | /0/spec      | \"spec\" is missing              | give the note as it is posted, without its name",
                "{'kind':'note','name':'a','spec':[]}      | /0/spec      | an object is wanted here, not a list | write {…}",
                "{'kind':'note','name':'a','spec':{'text':'a'}} | /0/spec/text | the name is a field of the document, beside \"kind\" | remove it here",
                "{'kind':'remark','name':'r1','spec':{}}   | /0/note      | \"note\" is missing              | give the name of the note that has the remark",
                "{'kind':'note','note':'b','name':'a','spec':{}} | /0/note | unknown field \"note\"          | the fields are kind, name, spec",
                "'note'                                    | /0           | an object is wanted here, not the string \"note\" | write {…}",
            })
    void a_document_that_is_none_is_refused_by_field_with_a_remedy(
            String document, String field, String message, String remedy) {
        Client.Answer answer = apply(document, NOTE);
        assertThat(answer.status()).isEqualTo(400);
        assertThat(error(answer).at("/field").textValue()).isEqualTo(field);
        assertThat(error(answer).at("/message").textValue()).isEqualTo(message);
        assertThat(error(answer).at("/remedy").textValue()).isEqualTo(remedy);
        assertThat(stored()).isZero();
    }

    @Test
    void two_documents_of_one_kind_and_name_are_refused() {
        Client.Answer answer = apply(NOTE, GUEST, NOTE);
        assertThat(answer.status()).isEqualTo(400);
        assertThat(error(answer).at("/field").textValue()).isEqualTo("/2/name");
        assertThat(error(answer).at("/message").textValue()).isEqualTo("document /0 is note \"a\", too");
        assertThat(stored()).isZero();
        assertThat(apply(NOTE, NOTE.replace("'a'", "'b'"), REMARK, REMARK.replace("'a'", "'b'"))
                        .status())
                .as("remarks on two notes")
                .isEqualTo(200);
    }

    @Test
    void intents_that_exclude_each_other_are_refused_and_may_change_places_within_a_list() {
        assertThat(error(apply(NOTE, GUEST, GUEST.replace("ann", "bob")))
                        .at("/field")
                        .textValue())
                .isEqualTo("/2/spec/seat");
        assertThat(stored()).isZero();
        apply(GUEST, GUEST.replace("ann", "bob").replace('1', '2'));
        Client.Answer third = apply(GUEST.replace("ann", "eve"));
        assertThat(third.status()).isEqualTo(409);
        assertThat(error(third).at("/message").textValue()).isEqualTo("ann has the seat");
        assertThat(dryRun(GUEST.replace("ann", "eve")).status()).isEqualTo(409);
        Client.Answer places = apply(GUEST.replace("ann", "bob"), GUEST.replace('1', '2'));
        assertThat(actions(places)).containsExactly("changed", "changed");
    }

    @Test
    void a_body_that_is_no_list_is_refused() {
        for (String body : List.of(NOTE, "", "[" + NOTE, "[" + NOTE + "] x", "[{'kind':'note','kind':'note'}]")) {
            assertThat(client.post("apply", body).status()).as(body).isEqualTo(400);
        }
        String large = "x".repeat(70_000);
        assertThat(error(apply("{'kind':'guest','name':'ann','spec':{'" + large + "':1}}"))
                        .at("/message")
                        .textValue())
                .contains("larger than 65536 bytes");
        String many = "7,".repeat(10_000) + "7";
        assertThat(error(apply(many)).at("/message").textValue()).isEqualTo("the list has more than 10000 elements");
        assertThat(stored()).isZero();
        assertThat(apply().json().at("/items")).isEmpty();
    }

    @Test
    void a_list_of_faults_answers_with_the_first_hundred() {
        String faults = IntStream.range(0, 300).mapToObj(i -> "7").collect(Collectors.joining(",", "[", "]"));
        assertThat(client.post("apply", faults).json().at("/errors")).hasSize(100);
        String unfeasible = IntStream.range(0, 300)
                .mapToObj(i -> "{'kind':'remark','note':'z','name':'r" + i + "','spec':{}}")
                .collect(Collectors.joining(",", "[", "]"));
        assertThat(client.post("apply", unfeasible).json().at("/errors")).hasSize(100);
    }

    @Test
    void each_kind_needs_its_own_role() {
        Client operator = client.as("operator");
        Client security = client.as("security");
        assertThat(operator.post("apply", list(NOTE, REMARK)).status()).isEqualTo(200);
        assertThat(security.post("apply", list(GUEST)).status()).isEqualTo(200);
        Client.Answer both = operator.post("apply", list(NOTE, GUEST));
        assertThat(both.status()).isEqualTo(403);
        assertThat(both.json().at("/detail").textValue())
                .isEqualTo("document /1: kind guest needs the role security; this user has operator");
        assertThat(security.post("apply?dryRun=true", list(REMARK)).status()).isEqualTo(403);
        assertThat(client.as("viewer").post("apply", "[]").json().at("/detail").textValue())
                .isEqualTo("POST of apply needs a role that may change intents; this user has viewer");
        assertThat(client.as("viewer").post("apply?dryRun=true", "[]").status()).isEqualTo(403);
    }

    @Test
    void a_request_is_one_line_of_the_audit_log_with_its_changes_and_a_dry_run_is_marked() {
        try (AuditLog trail = TestAuditLog.in(folder)) {
            Client recorded = Client.of(RestApplication.of(Set.of(
                            new AppResource<>(notes), new AppResource<>(remarks), new AppResource<>(seats), resource))
                    .register(new Recording(() -> Optional.of(trail))));
            recorded.post("apply?dryRun=true", list(NOTE, GUEST));
            assertThat(line(trail)).isEqualTo("dryRun apply done -");
            recorded.post("apply", list(NOTE, GUEST));
            assertThat(line(trail)).isEqualTo("change apply done note/a guest/ann");
            recorded.post("apply", list(NOTE, GUEST.replace('1', '2')));
            assertThat(line(trail)).isEqualTo("change apply done guest/ann");
            recorded.post("apply", list(NOTE, GUEST.replace('1', '2')));
            assertThat(line(trail)).isEqualTo("change apply done -");
            recorded.post("apply", list("7"));
            assertThat(line(trail)).isEqualTo("change apply refused -");
            assertThat(TestAuditLog.deeds(trail)).hasSize(5);
        }
    }

    private static String line(AuditLog trail) {
        JsonNode line = TestAuditLog.deeds(trail).get(0);
        String intents = line.at("/changes/items").isMissingNode()
                ? "-"
                : String.join(" ", line.at("/changes/items").findValuesAsText("intent"));
        return line.get("event").asText() + " " + line.get("resource").asText() + " "
                + line.get("outcome").asText() + " " + intents;
    }

    @Test
    void an_app_that_is_gone_has_no_documents() {
        resource.removeApp(seats);
        assertThat(error(apply(GUEST)).at("/message").textValue()).isEqualTo("there is no kind \"guest\"");
    }

    @Test
    void every_field_of_the_answer_is_described() throws java.io.IOException {
        apply(NOTE, REMARK);
        JsonNode schemas = new com.fasterxml.jackson.databind.ObjectMapper()
                .readTree(getClass().getResource("/META-INF/sextant/openapi.json"))
                .at("/components/schemas");
        JsonNode answer = dryRun(REMARK.replace("good", "better")).json();
        assertDescribed(answer, schemas.get("ApplyResult"), Set.of());
        assertDescribed(answer.at("/items/0"), schemas.get("AppliedDocument"), Set.of("note"));
        assertDescribed(answer.at("/items/0/changes/0"), schemas.get("FieldChange"), Set.of());
    }

    private static void assertDescribed(JsonNode value, JsonNode schema, Set<String> others) {
        Iterator<Map.Entry<String, JsonNode>> fields = value.fields();
        while (fields.hasNext()) {
            String name = fields.next().getKey();
            assertThat(others.contains(name) || schema.get("properties").has(name))
                    .as(name)
                    .isTrue();
        }
        schema.get("required")
                .forEach(name ->
                        assertThat(value.has(name.asText())).as(name.asText()).isTrue());
    }
}
