// SPDX-License-Identifier: Apache-2.0
package org.sextant.sera.app;

import com.fasterxml.jackson.databind.JsonNode;
import io.swagger.v3.oas.annotations.Operation;
import io.swagger.v3.oas.annotations.media.ArraySchema;
import io.swagger.v3.oas.annotations.media.Content;
import io.swagger.v3.oas.annotations.media.Schema;
import io.swagger.v3.oas.annotations.responses.ApiResponse;
import javax.annotation.security.RolesAllowed;
import javax.ws.rs.GET;
import javax.ws.rs.Path;
import javax.ws.rs.PathParam;
import javax.ws.rs.Produces;
import javax.ws.rs.core.MediaType;
import org.osgi.service.component.annotations.Component;
import org.osgi.service.component.annotations.Reference;
import org.sextant.core.rest.RestResource;

/** The REST resource of a firewall's stored versions. */
@Component(service = RestResource.class)
@Path("firewalls/{id}/versions")
@Produces(MediaType.APPLICATION_JSON)
public class FirewallVersions implements RestResource {
    @Reference
    protected FirewallApp firewalls;

    @GET
    @RolesAllowed({"admin", "viewer"})
    @Operation(
            operationId = "getFirewallVersions",
            summary = "The versions of a firewall that are kept, latest first",
            tags = "firewalls",
            responses = {
                @ApiResponse(
                        responseCode = "200",
                        description = "the one that is there, and eight before it at most",
                        content =
                                @Content(
                                        array =
                                                @ArraySchema(
                                                        schema =
                                                                @Schema(
                                                                        ref =
                                                                                "#/components/schemas/FirewallVersion")))),
                @ApiResponse(responseCode = "404", description = "there is no firewall of that id")
            })
    public JsonNode versions(@PathParam("id") String id) {
        return firewalls.versions(id);
    }
}
