// SPDX-License-Identifier: Apache-2.0
package org.sextant.northbound.rest;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import java.util.List;
import java.util.Set;
import javax.annotation.security.RolesAllowed;
import javax.ws.rs.Consumes;
import javax.ws.rs.GET;
import javax.ws.rs.POST;
import javax.ws.rs.Path;
import javax.ws.rs.Produces;
import javax.ws.rs.QueryParam;
import javax.ws.rs.ServiceUnavailableException;
import javax.ws.rs.core.MediaType;
import org.junit.jupiter.api.DisplayNameGeneration;
import org.junit.jupiter.api.DisplayNameGenerator.ReplaceUnderscores;
import org.junit.jupiter.api.Test;
import org.sextant.core.Problem;
import org.sextant.core.ProblemException;
import org.sextant.core.port.NodeUnavailableException;
import org.sextant.core.port.StoreUnavailableException;
import org.sextant.core.rest.RestResource;

/** The real Jersey application with a resource that fails in every way. */
@DisplayNameGeneration(ReplaceUnderscores.class)
class ProblemMapperTest {
    private final Client admin = Client.of(RestApplication.of(Set.of(new FailingResource())));
    private final Client viewer = admin.as("viewer");

    @Test
    void a_problem_names_field_and_remedy() {
        Client.Answer answer = viewer.get("fail/unknown");
        assertThat(answer.status()).isEqualTo(404);
        assertThat(answer.type()).isEqualTo("application/problem+json");
        assertThat(answer.json().at("/errors/0/field").asText()).isEqualTo("/nodes/2");
        assertThat(answer.json().at("/errors/0/message").asText()).isEqualTo("there is no node \"p9\"");
        assertThat(answer.json().at("/errors/0/remedy").asText()).isEqualTo("did you mean p7?");
    }

    @Test
    void what_a_body_names_and_is_not_there_is_422_because_the_address_is_right() {
        assertThat(admin.post("fail/unknown", "{}").status()).isEqualTo(422);
    }

    @Test
    void several_problems_are_all_told_and_the_gravest_decides_the_status() {
        Client.Answer answer = viewer.get("fail/several");
        assertThat(answer.status()).isEqualTo(409);
        assertThat(answer.json().at("/errors")).hasSize(2);
    }

    @Test
    void a_fault_shows_a_reference_and_no_stack_trace() {
        Client.Answer answer = viewer.get("fail/fault");
        assertThat(answer.status()).isEqualTo(500);
        assertThat(answer.json().toString())
                .contains("reference")
                .doesNotContain("secret")
                .doesNotContain("java");
    }

    @Test
    void an_unreachable_node_is_503() {
        assertThat(viewer.get("fail/node").status()).isEqualTo(503);
    }

    @Test
    void storage_that_does_not_answer_is_503_and_says_what_to_do() {
        Client.Answer answer = admin.post("fail/store", "{}");
        assertThat(answer.status()).isEqualTo(503);
        assertThat(answer.type()).isEqualTo("application/problem+json");
        assertThat(answer.json().at("/detail").asText())
                .isEqualTo("the storage nodes do not answer; look at their links");
        assertThat(answer.retryAfter()).isEqualTo("5");
    }

    @Test
    void a_viewer_may_not_write() {
        Client.Answer answer = viewer.post("fail", "{}");
        assertThat(answer.status()).isEqualTo(403);
        assertThat(answer.json().at("/detail").asText()).contains("admin");
        assertThat(admin.post("fail", "{}").status()).isEqualTo(200);
    }

    @Test
    void a_parameter_that_is_misspelt_or_no_truth_value_is_refused_and_not_passed_over() {
        assertThat(admin.post("fail/look?dryRun=true", "").json().at("/looked").asBoolean())
                .isTrue();
        assertThat(admin.post("fail/look", "").json().at("/looked").asBoolean()).isFalse();
        for (String query : List.of(
                "dryrun=true",
                "dryRun=yes",
                "dryRun=1",
                "dryRun",
                "dryRun=",
                "dryRun=true&dryRun=false",
                "dryRun=true&x=1")) {
            Client.Answer answer = admin.post("fail/look?" + query, "");
            assertThat(answer.status()).as(query).isEqualTo(400);
            assertThat(answer.json().at("/errors")).hasSize(1);
        }
        Client.Answer answer = admin.post("fail/look?dryrun=true", "");
        assertThat(answer.json().at("/errors/0/field").asText()).isEqualTo("/dryrun");
        assertThat(answer.json().at("/errors/0/remedy").asText()).isEqualTo("it has dryRun");
    }

    @Test
    void a_name_is_not_cut_off_at_a_semicolon() {
        Client.Answer answer = admin.get("fail;a=1/unknown;b");
        assertThat(answer.status()).isEqualTo(400);
        assertThat(answer.json().at("/errors/0/remedy").asText()).contains("%3B");
    }

    @Test
    void who_is_asked_to_come_back_is_told_when_and_why() {
        Client.Answer answer = viewer.get("fail/busy");
        assertThat(answer.status()).isEqualTo(503);
        assertThat(answer.retryAfter()).isEqualTo("7");
        assertThat(answer.json().at("/detail").asText()).isEqualTo("it takes longer; it goes on");
    }

    @Test
    void a_get_may_say_of_what_type_the_body_is_that_it_does_not_have() {
        assertThat(viewer.get("fail/plain").status()).isEqualTo(200);
        assertThat(admin.post("fail/plain", "{}").status()).isEqualTo(415);
    }

    @Test
    void unknown_addresses_and_methods_answer_as_problems_too() {
        assertThat(viewer.get("nowhere").json().at("/status").asInt()).isEqualTo(404);
        assertThat(admin.delete("fail/unknown").json().at("/status").asInt()).isEqualTo(405);
    }

    @Path("fail")
    @Produces(MediaType.APPLICATION_JSON)
    public static class FailingResource implements RestResource {
        private static final Problem UNKNOWN =
                new Problem(Problem.Code.UNKNOWN, "/nodes/2", "there is no node \"p9\"", "did you mean p7?");

        @GET
        @Path("unknown")
        public JsonNode unknown() {
            throw new ProblemException(UNKNOWN);
        }

        @POST
        @Path("unknown")
        public JsonNode unknownInBody() {
            throw new ProblemException(UNKNOWN);
        }

        @GET
        @Path("several")
        public JsonNode several() {
            throw new ProblemException(
                    List.of(UNKNOWN, new Problem(Problem.Code.CONFLICT, "", "policy a owns it", "remove a")));
        }

        @GET
        @Path("fault")
        public JsonNode fault() {
            throw new IllegalStateException("secret");
        }

        @GET
        @Path("node")
        public JsonNode node() {
            throw new NodeUnavailableException("v4", "connection refused");
        }

        @POST
        @Path("store")
        public JsonNode store() {
            throw new StoreUnavailableException("the storage nodes do not answer; look at their links");
        }

        /** In ONOS all methods without a declared type of body are like this one. */
        @GET
        @Path("plain")
        @Consumes(MediaType.TEXT_PLAIN)
        public JsonNode plain() {
            return JsonNodeFactory.instance.objectNode();
        }

        @POST
        @Path("plain")
        @Consumes(MediaType.TEXT_PLAIN)
        public JsonNode plainBody() {
            return JsonNodeFactory.instance.objectNode();
        }

        @GET
        @Path("busy")
        public JsonNode busy() {
            throw new ServiceUnavailableException("it takes longer; it goes on", 7L);
        }

        @POST
        @Path("look")
        public JsonNode look(@QueryParam("dryRun") boolean dryRun) {
            return JsonNodeFactory.instance.objectNode().put("looked", dryRun);
        }

        @POST
        @RolesAllowed("admin")
        public JsonNode write() {
            return JsonNodeFactory.instance.objectNode();
        }
    }
}
