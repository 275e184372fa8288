// SPDX-License-Identifier: Apache-2.0
package org.sextant.northbound.rest;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import io.swagger.v3.oas.annotations.Operation;
import io.swagger.v3.oas.annotations.Parameter;
import io.swagger.v3.oas.annotations.media.ArraySchema;
import io.swagger.v3.oas.annotations.media.Content;
import io.swagger.v3.oas.annotations.media.Schema;
import io.swagger.v3.oas.annotations.parameters.RequestBody;
import io.swagger.v3.oas.annotations.responses.ApiResponse;
import java.io.IOException;
import java.io.InputStream;
import javax.annotation.security.RolesAllowed;
import javax.ws.rs.Consumes;
import javax.ws.rs.DELETE;
import javax.ws.rs.ForbiddenException;
import javax.ws.rs.GET;
import javax.ws.rs.POST;
import javax.ws.rs.Path;
import javax.ws.rs.PathParam;
import javax.ws.rs.Produces;
import javax.ws.rs.core.Context;
import javax.ws.rs.core.MediaType;
import javax.ws.rs.core.Response;
import javax.ws.rs.core.SecurityContext;
import org.osgi.service.component.annotations.Component;
import org.osgi.service.component.annotations.Reference;
import org.sextant.core.Problem;
import org.sextant.core.ProblemException;
import org.sextant.core.json.BoundedJson;
import org.sextant.core.rest.RestResource;
import org.sextant.northbound.access.Caller;
import org.sextant.northbound.access.Logins;
import org.sextant.northbound.access.TokenRequest;

/** Tokens for scripts: every user makes and revokes their own, an administrator sees and revokes all. */
@Component(service = RestResource.class)
@Path("tokens")
@Produces(MediaType.APPLICATION_JSON)
public class TokensResource implements RestResource {
    private static final BoundedJson JSON = new BoundedJson(16 << 10, 3);

    @Reference
    protected Logins logins;

    @GET
    @Operation(
            operationId = "listTokens",
            summary = "One's own tokens, to an administrator all",
            tags = "access",
            responses =
                    @ApiResponse(
                            responseCode = "200",
                            description = "what they are for and when each was used last; not what they are",
                            content =
                                    @Content(
                                            array =
                                                    @ArraySchema(
                                                            schema = @Schema(ref = "#/components/schemas/Token")))))
    public JsonNode list(@Parameter(hidden = true) @Context SecurityContext security) {
        ArrayNode list = JsonNodeFactory.instance.arrayNode();
        logins.listTokens(caller(security)).forEach(list::add);
        return list;
    }

    @POST
    @RolesAllowed("viewer")
    @Consumes(MediaType.APPLICATION_JSON)
    @Operation(
            operationId = "makeToken",
            summary = "Makes a token for a script",
            description =
                    "It is sent as \"Authorization: Bearer …\" and does what its role may, until it expires. The answer is the"
                            + " only place where it ever stands. A token makes no tokens.",
            tags = "access",
            requestBody =
                    @RequestBody(
                            required = true,
                            content = @Content(schema = @Schema(ref = "#/components/schemas/NewToken"))),
            responses = {
                @ApiResponse(
                        responseCode = "201",
                        description = "made",
                        content = @Content(schema = @Schema(ref = "#/components/schemas/TokenMade"))),
                @ApiResponse(responseCode = "400", description = "the document is not valid"),
                @ApiResponse(responseCode = "403", description = "the role is more than one's own, or a token asks")
            })
    public Response make(InputStream body, @Parameter(hidden = true) @Context SecurityContext security)
            throws IOException {
        Caller caller = caller(security);
        TokenRequest request = TokenRequest.read(JSON.read(body), caller);
        if (caller.how() == Caller.How.TOKEN) {
            throw new ForbiddenException("a token makes no tokens; log in with a password");
        }
        if (!caller.may(request.role())) {
            throw new ForbiddenException(
                    "a token of role " + request.role().word() + " needs that role; this user has not got it");
        }
        return Response.status(Response.Status.CREATED)
                .entity(logins.makeToken(caller, request))
                .build();
    }

    @DELETE
    @RolesAllowed("viewer")
    @Path("{id}")
    @Operation(
            operationId = "revokeToken",
            summary = "Revokes a token",
            tags = "access",
            responses = {
                @ApiResponse(responseCode = "204", description = "it opens nothing any more"),
                @ApiResponse(
                        responseCode = "404",
                        description = "there is no token with this id, or it belongs to another user")
            })
    public Response revoke(@PathParam("id") String id, @Parameter(hidden = true) @Context SecurityContext security) {
        if (!logins.revokeToken(caller(security), id)) {
            throw new ProblemException(new Problem(
                    Problem.Code.UNKNOWN, "/id", "there is no token \"" + id + "\"", "GET of tokens lists yours"));
        }
        return Response.noContent().build();
    }

    private static Caller caller(SecurityContext security) {
        return Caller.of(security).orElseThrow(ForbiddenException::new);
    }
}
