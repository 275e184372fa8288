// SPDX-License-Identifier: Apache-2.0
package org.sextant.northbound.rest;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import javax.ws.rs.GET;
import javax.ws.rs.Produces;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayNameGeneration;
import org.junit.jupiter.api.DisplayNameGenerator.ReplaceUnderscores;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.sextant.core.rest.RestResource;
import org.sextant.northbound.app.Notes;
import org.sextant.northbound.audit.AuditLog;
import org.sextant.northbound.audit.Secret;
import org.sextant.northbound.audit.TestAuditLog;

/** Every change has its line, whichever resource serves it and whatever comes of it. */
@DisplayNameGeneration(ReplaceUnderscores.class)
class RecordingTest {
    private final Notes notes = new Notes();

    @TempDir
    private Path folder;

    private AuditLog trail;
    private Client client;

    /** Something that not every role may know. */
    @javax.ws.rs.Path("vault")
    @Produces("application/json")
    public static final class Vault implements RestResource {
        @GET
        @Secret
        public JsonNode open() {
            return JsonNodeFactory.instance.objectNode().put("key", "hunter2");
        }
    }

    @BeforeEach
    void open() {
        trail = TestAuditLog.in(folder);
        client = Client.of(RestApplication.of(Set.of(new AppResource<>(notes), new Vault()))
                .register(new Recording(() -> Optional.of(trail))));
    }

    @AfterEach
    void close() {
        notes.close();
        trail.close();
    }

    /** The outcome of the newest line. */
    private String told() {
        JsonNode line = TestAuditLog.deeds(trail).get(0);
        return List.of("event", "user", "by", "method", "resource", "outcome", "status").stream()
                .map(name -> line.path(name).asText())
                .collect(Collectors.joining(" "));
    }

    @Test
    void what_is_done_is_told_with_what_it_changed() {
        client.post("notes", "{'text':'a'}");
        assertThat(told()).isEqualTo("change admin rest POST notes done 201");
        JsonNode changes = TestAuditLog.deeds(trail).get(0).get("changes");
        assertThat(changes.at("/items/0/intent").asText()).isEqualTo("note/a");
        String after = changes.at("/items/0/after").asText();
        client.delete("notes/a");
        assertThat(told()).isEqualTo("change admin rest DELETE notes/a done 204");
        assertThat(TestAuditLog.deeds(trail)
                        .get(0)
                        .at("/changes/items/0/before")
                        .asText())
                .isEqualTo(after);
    }

    @Test
    void a_list_is_one_line_with_a_digest_of_all_of_it() {
        String list = IntStream.range(0, 50)
                .mapToObj(i -> "{'text':'n" + i + "'}")
                .collect(Collectors.joining(",", "[", "]"));
        client.post("notes", list);
        assertThat(TestAuditLog.deeds(trail)).hasSize(1);
        JsonNode changes = TestAuditLog.deeds(trail).get(0).get("changes");
        assertThat(changes.get("count").asInt()).isEqualTo(50);
        assertThat(changes.get("items")).hasSize(20);
        assertThat(changes.get("digest").asText()).hasSize(64);
    }

    @Test
    void a_dry_run_is_no_change() {
        client.post("notes?dryRun=true", "{'text':'a'}");
        assertThat(told()).isEqualTo("dryRun admin rest POST notes done 200");
        assertThat(TestAuditLog.deeds(trail).get(0).has("changes")).isFalse();
        client.post("notes?dryRun=true", "{'colour':'red'}");
        assertThat(told()).isEqualTo("dryRun admin rest POST notes refused 400");
        client.as("viewer").post("notes?dryRun=true", "{'text':'a'}");
        assertThat(told()).startsWith("dryRun viewer rest POST notes ");
        assertThat(TestAuditLog.deeds(trail)).hasSize(3);
        for (String method : List.of("PUT", "PATCH")) {
            client.call(method, "notes/b?dryRun=true", new ByteArrayInputStream("{}".getBytes(StandardCharsets.UTF_8)));
            assertThat(told()).startsWith("dryRun admin rest " + method + " notes/b ");
        }
    }

    @Test
    void a_change_is_none_by_its_parameters_alone() {
        client.post("notes?dryRun=false", "{'text':'a'}");
        assertThat(told()).isEqualTo("change admin rest POST notes done 201");
        client.post("notes?dryRun=true&dryRun=false", "{'text':'b'}");
        assertThat(told()).isEqualTo("change admin rest POST notes refused 400");
        client.delete("notes/a?dryRun=true");
        assertThat(told()).isEqualTo("change admin rest DELETE notes/a refused 400");
        client.post("tasks?dryRun=true", "{}");
        assertThat(told()).isEqualTo("change admin rest POST tasks refused 404");
    }

    @Test
    void what_is_refused_is_told() {
        client.post("notes", "{'colour':'red'}");
        assertThat(told()).isEqualTo("change admin rest POST notes refused 400");
        client.delete("notes/nothing");
        assertThat(told()).isEqualTo("change admin rest DELETE notes/nothing refused 404");
        client.as("viewer").delete("notes/a");
        assertThat(told()).isEqualTo("change viewer rest DELETE notes/a denied 403");
        client.post("nowhere", "{}");
        assertThat(told()).isEqualTo("change admin rest POST nowhere refused 404");
        client.delete("vault");
        assertThat(told()).isEqualTo("change admin rest DELETE vault refused 405");
        client.delete("notes/a?colour=red");
        assertThat(told()).isEqualTo("change admin rest DELETE notes/a refused 400");
    }

    @Test
    void reading_leaves_no_line_unless_it_is_a_secret() {
        client.get("notes");
        assertThat(TestAuditLog.deeds(trail)).isEmpty();
        client.get("vault");
        assertThat(told()).isEqualTo("read admin rest GET vault done 200");
        assertThat(TestAuditLog.deeds(trail).toString()).doesNotContain("hunter2");
    }

    @Test
    void where_no_line_has_room_nothing_is_changed() throws IOException {
        trail.close();
        Files.move(folder.resolve("audit"), folder.resolve("elsewhere"));
        Files.writeString(folder.resolve("audit"), "in the way");
        trail = TestAuditLog.in(folder);
        Client.Answer answer = client.post("notes", "{'text':'a'}");
        assertThat(answer.status()).isEqualTo(503);
        assertThat(answer.json().get("title").asText()).isEqualTo("Audit trail not available");
        assertThat(answer.json().get("detail").asText()).contains("cannot be written", "make room there");
        assertThat(client.get("notes").json()).isEmpty();
    }

    @Test
    void before_there_is_a_trail_nothing_is_changed() {
        Client early = Client.of(
                RestApplication.of(Set.of(new AppResource<>(notes))).register(new Recording(Optional::empty)));
        assertThat(early.post("notes", "{'text':'a'}").status()).isEqualTo(503);
        assertThat(early.get("notes").json()).isEmpty();
    }

    @Test
    void what_another_request_of_the_thread_changes_is_not_told_of_this_one() {
        client.post("notes", "{'text':'a'}");
        client.as("viewer").delete("notes/a");
        client.get("notes");
        assertThat(TestAuditLog.deeds(trail).get(0).has("changes")).isFalse();
    }
}
