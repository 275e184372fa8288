// SPDX-License-Identifier: Apache-2.0
package org.sextant.usid.probe;

import com.fasterxml.jackson.databind.JsonNode;
import io.swagger.v3.oas.annotations.Operation;
import io.swagger.v3.oas.annotations.Parameter;
import io.swagger.v3.oas.annotations.media.Content;
import io.swagger.v3.oas.annotations.media.Schema;
import io.swagger.v3.oas.annotations.responses.ApiResponse;
import java.util.Optional;
import javax.ws.rs.POST;
import javax.ws.rs.Path;
import javax.ws.rs.PathParam;
import javax.ws.rs.Produces;
import javax.ws.rs.QueryParam;
import javax.ws.rs.core.MediaType;
import org.osgi.service.component.annotations.Component;
import org.osgi.service.component.annotations.Reference;
import org.sextant.core.rest.RestResource;

/** The REST resource of probes, beside those of every app's intents. */
@Component(service = RestResource.class)
@Path("policies/{id}/probe")
@Produces(MediaType.APPLICATION_JSON)
public class ProbeResource implements RestResource {
    @Reference
    protected PolicyProbes probes;

    @POST
    @Operation(
            operationId = "probePolicy",
            summary = "Sends packets through a policy and counts the answers",
            description =
                    "Each headend of the policy pings a host in each prefix that it steers there, with a packet of its own that"
                            + " is steered as users' packets are. The way back is whatever leads to the headend.",
            tags = "policies",
            responses = {
                @ApiResponse(
                        responseCode = "200",
                        description = "what was sent and answered",
                        content = @Content(schema = @Schema(ref = "#/components/schemas/PolicyProbe"))),
                @ApiResponse(responseCode = "400", description = "a parameter is not valid"),
                @ApiResponse(responseCode = "404", description = "there is no policy of that id"),
                @ApiResponse(
                        responseCode = "422",
                        description = "it does not steer the destination, or this host of the controller cannot try it")
            })
    public JsonNode probe(
            @PathParam("id") String id,
            @Parameter(description = "requests per prefix, 1 to 100; 5 if it is left out") @QueryParam("count")
                    String count,
            @Parameter(description = "try this host or address only") @QueryParam("destination") String destination) {
        return probes.probe(id, PolicyProbes.count(count), Optional.ofNullable(destination))
                .view();
    }
}
