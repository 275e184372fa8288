// SPDX-License-Identifier: Apache-2.0
package org.sextant.northbound.rest;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import java.io.InputStream;
import java.util.Set;
import javax.annotation.security.RolesAllowed;
import javax.ws.rs.GET;
import javax.ws.rs.PATCH;
import javax.ws.rs.POST;
import javax.ws.rs.Path;
import javax.ws.rs.PathParam;
import javax.ws.rs.Produces;
import javax.ws.rs.QueryParam;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.DisplayNameGeneration;
import org.junit.jupiter.api.DisplayNameGenerator.ReplaceUnderscores;
import org.junit.jupiter.api.Test;
import org.sextant.core.rest.RestResource;
import org.sextant.northbound.app.Notes;

/** The interface of every app, and an app's own resources beside it. */
@DisplayNameGeneration(ReplaceUnderscores.class)
class AppResourceTest {
    private final Notes notes = new Notes() {
        @Override
        public boolean changes() {
            return false;
        }
    };
    private final Client client = Client.of(
            RestApplication.of(Set.of(new AppResource<>(notes), new Readers(), new Imports(notes), new Changes())));

    /** A sub-resource of one note. */
    @Path("notes/{id}/readers")
    @Produces("application/json")
    @RolesAllowed({"admin", "viewer"})
    public static final class Readers implements RestResource {
        @GET
        public JsonNode list(@PathParam("id") String id, @QueryParam("limit") String limit) {
            return JsonNodeFactory.instance.arrayNode().add(id).add(limit);
        }
    }

    /** Something that is done with all notes. */
    @Path("notes/import")
    @Produces("application/json")
    public record Imports(Notes notes) implements RestResource {
        @POST
        @RolesAllowed("admin")
        public JsonNode post() {
            return JsonNodeFactory.instance
                    .objectNode()
                    .put("there", notes.intents().list().size());
        }
    }

    /** A method of the app's own addresses that is not made for every app. */
    @Path("notes")
    @Produces("application/json")
    @RolesAllowed("admin")
    public static final class Changes implements RestResource {
        @PATCH
        @Path("{id}")
        public JsonNode change(@PathParam("id") String id) {
            return JsonNodeFactory.instance.objectNode().put("changed", id);
        }

        @POST
        @Path("{id}/copy")
        public JsonNode copy(@PathParam("id") String id) {
            return JsonNodeFactory.instance.objectNode().put("copied", id);
        }
    }

    @AfterEach
    void close() {
        notes.close();
    }

    @Test
    void an_app_that_says_nothing_but_words_is_served() {
        assertThat(client.post("notes", "{'text':'a'}").status()).isEqualTo(201);
        assertThat(client.post("notes", "[{'text':'a'},{'text':'b'}]")
                        .json()
                        .at("/created")
                        .intValue())
                .isEqualTo(1);
        JsonNode stored = client.get("notes/a").json();
        assertThat(stored.at("/note/text").textValue()).isEqualTo("a");
        assertThat(stored.at("/warnings/0").textValue()).isEqualTo("it is only a note");
        assertThat(client.get("notes?limit=1").link()).contains("after=a");
        assertThat(client.get("notes/a/plan").json().toString())
                .isEqualTo("{\"entries\":[],\"warnings\":[\"it is only a note\"]}");
        assertThat(client.get("notes/c").json().at("/detail").textValue())
                .isEqualTo("/id: there is no note \"c\"; list the notes to see what there is");
        assertThat(client.delete("notes?ids=a,b").json().get("removed")).hasSize(2);
    }

    @Test
    void a_removal_that_names_nothing_is_refused_and_says_what_to_give() {
        client.post("notes", "{'text':'a'}");
        Client.Answer answer = client.delete("notes");
        assertThat(answer.status()).isEqualTo(400);
        assertThat(answer.json().at("/detail").textValue())
                .isEqualTo("/ids: which note is meant?; give ids, or the note's id");
        assertThat(client.get("notes").json()).hasSize(1);
    }

    @Test
    void the_address_is_read_as_strictly_as_that_of_other_resources() {
        assertThat(client.get("notes?source=a").json().at("/detail").textValue())
                .isEqualTo(
                        "/source: this address has no parameter \"source\"; it has after, cursor, label, limit, node, q,"
                                + " state");
        assertThat(client.get("notes/a?limit=1").status()).isEqualTo(400);
        assertThat(client.post("notes?dryRun=yes", "{'text':'a'}").status()).isEqualTo(400);
        assertThat(client.post("notes?dryRun=true&dryRun=true", "{'text':'a'}").status())
                .isEqualTo(400);
        assertThat(client.get("notes").json()).isEmpty();
    }

    @Test
    void viewers_read_and_do_not_write() {
        Client viewer = client.as("viewer");
        assertThat(viewer.post("notes", "{'text':'a'}").status()).isEqualTo(403);
        assertThat(viewer.delete("notes/a").status()).isEqualTo(403);
        assertThat(viewer.delete("notes?all=true").status()).isEqualTo(403);
        assertThat(viewer.get("notes").status()).isEqualTo(200);
        assertThat(client.as("guest").get("notes").status()).isEqualTo(403);
    }

    @Test
    void who_may_not_is_told_the_role_that_it_needs() {
        assertThat(client.as("security")
                        .post("notes", "{'text':'a'}")
                        .json()
                        .at("/detail")
                        .textValue())
                .isEqualTo("POST of notes needs the role operator; this user has security");
        assertThat(client.as("guest").get("notes").json().at("/detail").textValue())
                .isEqualTo("GET of notes needs the role viewer; this user has no role of this controller");
        assertThat(client.as("operator").post("notes", "{'text':'a'}").status()).isEqualTo(201);
    }

    @Test
    void resources_of_an_app_stand_beside_what_is_made_for_it() {
        client.post("notes", "{'text':'a'}");
        assertThat(client.get("notes/a/readers?limit=7").json().toString()).isEqualTo("[\"a\",\"7\"]");
        assertThat(client.get("notes/a/readers?after=7").status()).isEqualTo(400);
        assertThat(client.post("notes/import", "{}").json().at("/there").intValue())
                .isEqualTo(1);
        assertThat(client.as("viewer").post("notes/import", "{}").status()).isEqualTo(403);
        assertThat(client.call("PATCH", "notes/a", InputStream.nullInputStream())
                        .json()
                        .at("/changed")
                        .textValue())
                .isEqualTo("a");
        assertThat(client.post("notes/a/copy", "{}").json().at("/copied").textValue())
                .isEqualTo("a");
        assertThat(client.get("notes/a/plan").status()).isEqualTo(200);
        assertThat(client.get("notes/a").status()).isEqualTo(200);
        assertThat(client.get("notes").json()).hasSize(1);
        assertThat(client.call("PATCH", "notes", InputStream.nullInputStream()).status())
                .isEqualTo(405);
        assertThat(client.get("notes/a/writers").status()).isEqualTo(404);
    }
}
