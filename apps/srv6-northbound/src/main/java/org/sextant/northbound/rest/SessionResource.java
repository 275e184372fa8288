// SPDX-License-Identifier: Apache-2.0
package org.sextant.northbound.rest;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import io.swagger.v3.oas.annotations.Operation;
import io.swagger.v3.oas.annotations.Parameter;
import io.swagger.v3.oas.annotations.media.Content;
import io.swagger.v3.oas.annotations.media.Schema;
import io.swagger.v3.oas.annotations.responses.ApiResponse;
import javax.annotation.security.RolesAllowed;
import javax.ws.rs.GET;
import javax.ws.rs.Path;
import javax.ws.rs.Produces;
import javax.ws.rs.core.Context;
import javax.ws.rs.core.MediaType;
import javax.ws.rs.core.SecurityContext;
import org.osgi.service.component.annotations.Component;
import org.sextant.core.rest.RestResource;

/** Who asks, and what they may: a client finds out whether to offer writing without trying it. */
@Component(service = RestResource.class)
@Path("session")
@Produces(MediaType.APPLICATION_JSON)
@RolesAllowed({"admin", "viewer"})
public class SessionResource implements RestResource {
    @GET
    @Operation(
            operationId = "getLogin",
            summary = "The user of this request and whether it may write",
            tags = "controller",
            responses = {
                @ApiResponse(
                        responseCode = "200",
                        description = "the user",
                        content = @Content(schema = @Schema(ref = "#/components/schemas/Login")))
            })
    public JsonNode get(@Parameter(hidden = true) @Context SecurityContext security) {
        return JsonNodeFactory.instance
                .objectNode()
                .put("user", security.getUserPrincipal().getName())
                .put("mayWrite", security.isUserInRole("admin"));
    }
}
