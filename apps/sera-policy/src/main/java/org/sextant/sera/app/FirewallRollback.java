// SPDX-License-Identifier: Apache-2.0
package org.sextant.sera.app;

import io.swagger.v3.oas.annotations.Operation;
import io.swagger.v3.oas.annotations.Parameter;
import io.swagger.v3.oas.annotations.media.Content;
import io.swagger.v3.oas.annotations.media.Schema;
import io.swagger.v3.oas.annotations.responses.ApiResponse;
import javax.ws.rs.POST;
import javax.ws.rs.Path;
import javax.ws.rs.PathParam;
import javax.ws.rs.Produces;
import javax.ws.rs.QueryParam;
import javax.ws.rs.core.MediaType;
import javax.ws.rs.core.Response;
import org.osgi.service.component.annotations.Component;
import org.osgi.service.component.annotations.Reference;
import org.sextant.core.rest.RestResource;
import org.sextant.northbound.app.Receipt;

/** Restores the rules of an earlier version of a firewall. */
@Component(service = RestResource.class)
@Path("firewalls/{id}/rollback")
@Produces(MediaType.APPLICATION_JSON)
public class FirewallRollback implements RestResource {
    @Reference
    protected FirewallApp firewalls;

    @POST
    @Operation(
            operationId = "rollbackFirewall",
            summary = "Takes a firewall back to the rules of an earlier version",
            description = "These rules are the next version: versions only count up.",
            tags = "firewalls",
            responses = {
                @ApiResponse(
                        responseCode = "200",
                        description = "taken back and installed, or as it was",
                        content = @Content(schema = @Schema(ref = "#/components/schemas/FirewallStatus"))),
                @ApiResponse(
                        responseCode = "202",
                        description = "stored, but not (fully) installed",
                        content = @Content(schema = @Schema(ref = "#/components/schemas/FirewallStatus"))),
                @ApiResponse(responseCode = "400", description = "the version is no number"),
                @ApiResponse(responseCode = "403", description = "the user may not write"),
                @ApiResponse(responseCode = "404", description = "there is no firewall of that id"),
                @ApiResponse(responseCode = "409", description = "another has changed it at the same moment"),
                @ApiResponse(
                        responseCode = "422",
                        description = "that version is not kept, or the node or a policy cannot have it any more")
            })
    public Response rollback(
            @PathParam("id") String id,
            @Parameter(description = "the version; the one before if it is left out") @QueryParam("version")
                    String version) {
        Receipt receipt = Receipt.replace(firewalls, id, firewalls.earlier(id, Versions.parse(version)));
        return Response.status(receipt.code()).entity(receipt.view()).build();
    }
}
