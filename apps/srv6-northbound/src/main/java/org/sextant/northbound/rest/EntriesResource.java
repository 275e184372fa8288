// SPDX-License-Identifier: Apache-2.0
package org.sextant.northbound.rest;

import com.fasterxml.jackson.databind.JsonNode;
import io.swagger.v3.oas.annotations.Operation;
import io.swagger.v3.oas.annotations.Parameter;
import io.swagger.v3.oas.annotations.media.ArraySchema;
import io.swagger.v3.oas.annotations.media.Content;
import io.swagger.v3.oas.annotations.media.Schema;
import io.swagger.v3.oas.annotations.responses.ApiResponse;
import javax.annotation.security.RolesAllowed;
import javax.ws.rs.GET;
import javax.ws.rs.Path;
import javax.ws.rs.Produces;
import javax.ws.rs.QueryParam;
import javax.ws.rs.core.MediaType;
import org.osgi.service.component.annotations.Component;
import org.osgi.service.component.annotations.Reference;
import org.sextant.core.intent.Intents;
import org.sextant.core.rest.RestResource;
import org.sextant.northbound.view.EntryView;

/** Every wanted entry and, where it is not installed, why. */
@Component(service = RestResource.class)
@Path("entries")
@Produces(MediaType.APPLICATION_JSON)
@RolesAllowed({"admin", "viewer"})
public class EntriesResource implements RestResource {
    @Reference
    protected Intents intents;

    @GET
    @Operation(
            summary = "Entries of all nodes, with state, reason and counters",
            tags = "network",
            responses = {
                @ApiResponse(
                        responseCode = "200",
                        description = "a list of entries",
                        content = @Content(array = @ArraySchema(schema = @Schema(ref = "#/components/schemas/Entry")))),
                @ApiResponse(responseCode = "400", description = "a filter is not valid")
            })
    public JsonNode list(
            @Parameter(description = "only of this node") @QueryParam("node") String node,
            @Parameter(description = "only of this intent, as kind/id") @QueryParam("intent") String intent,
            @Parameter(description = "installed, pending or failed") @QueryParam("state") String state) {
        return EntryView.of(intents.entries(EntryView.filter(node, intent, state)));
    }
}
