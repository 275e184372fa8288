// SPDX-License-Identifier: Apache-2.0
package org.sextant.northbound.rest;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import io.swagger.v3.oas.annotations.Operation;
import io.swagger.v3.oas.annotations.Parameter;
import io.swagger.v3.oas.annotations.media.ArraySchema;
import io.swagger.v3.oas.annotations.media.Content;
import io.swagger.v3.oas.annotations.media.Schema;
import io.swagger.v3.oas.annotations.responses.ApiResponse;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import javax.annotation.security.RolesAllowed;
import javax.ws.rs.GET;
import javax.ws.rs.POST;
import javax.ws.rs.Path;
import javax.ws.rs.Produces;
import javax.ws.rs.QueryParam;
import javax.ws.rs.ServiceUnavailableException;
import javax.ws.rs.core.Context;
import javax.ws.rs.core.MediaType;
import javax.ws.rs.core.Response;
import javax.ws.rs.core.UriInfo;
import org.osgi.service.component.annotations.Component;
import org.osgi.service.component.annotations.Reference;
import org.sextant.core.intent.Intents;
import org.sextant.core.rest.RestResource;
import org.sextant.northbound.answer.Page;
import org.sextant.northbound.audit.AuditLog;
import org.sextant.northbound.audit.AuditLogQuery;
import org.sextant.northbound.view.DriftCheckView;

/** Reads all nodes now and repairs drift, instead of waiting for the periodic check; and lists the audit log. */
@Component(service = RestResource.class)
@Path("audit")
@Produces(MediaType.APPLICATION_JSON)
public class AuditResource implements RestResource {
    private static final long PATIENCE_SECONDS = 60;

    /** A waiting client holds a thread of the server's. */
    private static final Semaphore ROOM = new Semaphore(8);

    @Reference
    protected Intents intents;

    @Reference
    protected AuditLog trail;

    @GET
    @RolesAllowed("security")
    @Operation(
            operationId = "auditTrail",
            summary = "Who changed what, when, from where; newest first",
            description =
                    "Changes, refused ones, dry runs, reads of secrets and failed logins. Each line has the hash of the one before; what that"
                            + " shows is in docs/reference/audit-trail.md. The header Link leads to older ones.",
            tags = "controller",
            responses = {
                @ApiResponse(
                        responseCode = "200",
                        description = "the lines",
                        content =
                                @Content(
                                        array =
                                                @ArraySchema(
                                                        schema = @Schema(ref = "#/components/schemas/TrailLine")))),
                @ApiResponse(responseCode = "400", description = "a parameter is not valid"),
                @ApiResponse(responseCode = "403", description = "the user is neither security nor admin"),
                @ApiResponse(responseCode = "503", description = "the files cannot be read")
            })
    public Response get(
            @Parameter(description = "only of this user") @QueryParam("user") String user,
            @Parameter(description = "only from this time on, as 2026-11-23T10:00:00Z") @QueryParam("since")
                    String since,
            @Parameter(description = "only of this address or below it, as policies or policies/gold")
                    @QueryParam("resource")
                    String resource,
            @Parameter(description = "done, partly, refused, denied, failed or unknown") @QueryParam("outcome")
                    String outcome,
            @Parameter(description = "at most so many, 1,000 at most; 100 if it is left out") @QueryParam("limit")
                    String limit,
            @Parameter(description = "only older ones than this line") @QueryParam("after") String after,
            @Parameter(hidden = true) @Context UriInfo uri) {
        AuditLogQuery query = AuditLogQuery.parse(user, since, resource, outcome, limit, after);
        List<JsonNode> lines = trail.read(query);
        Optional<String> next = lines.size() < query.limit()
                ? Optional.empty()
                : Optional.of(lines.get(lines.size() - 1).get("seq").asText());
        return Page.ALL
                .link(Response.ok(JsonNodeFactory.instance.arrayNode().addAll(lines)), uri, next)
                .build();
    }

    @POST
    @Operation(
            operationId = "audit",
            summary = "Compare what the nodes hold with what is wanted, and repair",
            tags = "controller",
            responses = {
                @ApiResponse(
                        responseCode = "200",
                        description = "what had drifted",
                        content = @Content(schema = @Schema(ref = "#/components/schemas/Audit"))),
                @ApiResponse(
                        responseCode = "503",
                        description = "the nodes did not answer in time, or too many wait for that")
            })
    public JsonNode post() throws InterruptedException, ExecutionException {
        if (!ROOM.tryAcquire()) {
            throw new ServiceUnavailableException("others wait for the nodes already; come back in a moment", 10L);
        }
        try {
            return DriftCheckView.of(intents.audit().get(PATIENCE_SECONDS, TimeUnit.SECONDS));
        } catch (TimeoutException e) {
            throw new ServiceUnavailableException(
                    "the audit takes longer than " + PATIENCE_SECONDS + " s; it goes on", 10L, e);
        } finally {
            ROOM.release();
        }
    }
}
