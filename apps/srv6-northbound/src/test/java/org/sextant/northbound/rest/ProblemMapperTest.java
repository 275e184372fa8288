// SPDX-License-Identifier: Apache-2.0
package org.sextant.northbound.rest;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.net.URI;
import java.security.Principal;
import java.util.List;
import javax.annotation.security.RolesAllowed;
import javax.ws.rs.GET;
import javax.ws.rs.POST;
import javax.ws.rs.Path;
import javax.ws.rs.Produces;
import javax.ws.rs.core.MediaType;
import javax.ws.rs.core.SecurityContext;
import org.glassfish.jersey.internal.MapPropertiesDelegate;
import org.glassfish.jersey.server.ApplicationHandler;
import org.glassfish.jersey.server.ContainerRequest;
import org.glassfish.jersey.server.ContainerResponse;
import org.junit.jupiter.api.DisplayNameGeneration;
import org.junit.jupiter.api.DisplayNameGenerator.ReplaceUnderscores;
import org.junit.jupiter.api.Test;
import org.sextant.core.Problem;
import org.sextant.core.ProblemException;
import org.sextant.core.port.NodeUnavailableException;
import org.sextant.core.rest.RestResource;

/** The real Jersey application with a resource that fails in every way. */
@DisplayNameGeneration(ReplaceUnderscores.class)
class ProblemMapperTest {
    private final ApplicationHandler application =
            new ApplicationHandler(RestServlet.configure(java.util.Set.of(new FailingResource())));

    @Test
    void a_problem_names_field_and_remedy() throws Exception {
        Answer answer = call("GET", "fail/unknown", "viewer");
        assertThat(answer.status).isEqualTo(404);
        assertThat(answer.type).isEqualTo("application/problem+json");
        assertThat(answer.body.at("/errors/0/field").asText()).isEqualTo("/nodes/2");
        assertThat(answer.body.at("/errors/0/message").asText()).isEqualTo("there is no node \"p9\"");
        assertThat(answer.body.at("/errors/0/remedy").asText()).isEqualTo("did you mean p7?");
    }

    @Test
    void what_a_body_names_and_is_not_there_is_422_because_the_address_is_right() throws Exception {
        assertThat(call("POST", "fail/unknown", "admin").status).isEqualTo(422);
    }

    @Test
    void several_problems_are_all_told_and_the_gravest_decides_the_status() throws Exception {
        Answer answer = call("GET", "fail/several", "viewer");
        assertThat(answer.status).isEqualTo(409);
        assertThat(answer.body.at("/errors")).hasSize(2);
    }

    @Test
    void a_fault_shows_a_reference_and_no_stack_trace() throws Exception {
        Answer answer = call("GET", "fail/fault", "viewer");
        assertThat(answer.status).isEqualTo(500);
        assertThat(answer.body.toString()).contains("reference").doesNotContain("secret").doesNotContain("java");
    }

    @Test
    void an_unreachable_node_is_503() throws Exception {
        assertThat(call("GET", "fail/node", "viewer").status).isEqualTo(503);
    }

    @Test
    void a_viewer_may_not_write() throws Exception {
        Answer answer = call("POST", "fail", "viewer");
        assertThat(answer.status).isEqualTo(403);
        assertThat(answer.body.at("/detail").asText()).contains("admin");
        assertThat(call("POST", "fail", "admin").status).isEqualTo(200);
    }

    @Test
    void unknown_addresses_and_methods_answer_as_problems_too() throws Exception {
        assertThat(call("GET", "nowhere", "viewer").body.at("/status").asInt()).isEqualTo(404);
        assertThat(call("DELETE", "fail/unknown", "admin").body.at("/status").asInt()).isEqualTo(405);
    }

    private record Answer(int status, String type, JsonNode body) {}

    private Answer call(String method, String path, String role) throws Exception {
        ContainerRequest request = new ContainerRequest(
                URI.create("http://localhost/srv6/"), URI.create("http://localhost/srv6/" + path), method, user(role), new MapPropertiesDelegate());
        request.setEntityStream(new ByteArrayInputStream(new byte[0]));
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        ContainerResponse response = application.apply(request, bytes).get();
        return new Answer(
                response.getStatus(),
                String.valueOf(response.getMediaType()),
                bytes.size() == 0 ? JsonNodeFactory.instance.missingNode() : new ObjectMapper().readTree(bytes.toByteArray()));
    }

    private static SecurityContext user(String role) {
        return new SecurityContext() {
            @Override
            public Principal getUserPrincipal() {
                return () -> role;
            }

            @Override
            public boolean isUserInRole(String asked) {
                return asked.equals(role);
            }

            @Override
            public boolean isSecure() {
                return false;
            }

            @Override
            public String getAuthenticationScheme() {
                return BASIC_AUTH;
            }
        };
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
            throw new ProblemException(List.of(UNKNOWN, new Problem(Problem.Code.CONFLICT, "", "policy a owns it", "remove a")));
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
        @RolesAllowed("admin")
        public JsonNode write() {
            return JsonNodeFactory.instance.objectNode();
        }
    }
}
