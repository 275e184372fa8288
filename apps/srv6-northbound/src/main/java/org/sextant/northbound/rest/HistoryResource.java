// SPDX-License-Identifier: Apache-2.0
package org.sextant.northbound.rest;

import com.fasterxml.jackson.databind.JsonNode;
import io.swagger.v3.oas.annotations.Operation;
import io.swagger.v3.oas.annotations.Parameter;
import io.swagger.v3.oas.annotations.media.Content;
import io.swagger.v3.oas.annotations.media.Schema;
import io.swagger.v3.oas.annotations.responses.ApiResponse;
import javax.ws.rs.GET;
import javax.ws.rs.Path;
import javax.ws.rs.Produces;
import javax.ws.rs.QueryParam;
import javax.ws.rs.core.MediaType;
import org.osgi.service.component.annotations.Component;
import org.osgi.service.component.annotations.Reference;
import org.sextant.core.rest.RestResource;
import org.sextant.northbound.history.HistoryKeeper;
import org.sextant.northbound.history.HistoryQuery;
import org.sextant.northbound.history.HistoryView;
import org.sextant.northbound.history.Lookback;

/** How it was in the last hour. */
@Component(service = RestResource.class)
@Path("history")
@Produces(MediaType.APPLICATION_JSON)
public class HistoryResource implements RestResource {
    @Reference
    protected HistoryKeeper keeper;

    @GET
    @Operation(
            operationId = "getHistory",
            summary = "What links and intents carried, lost and delayed in the last hour",
            tags = "network",
            responses = {
                @ApiResponse(
                        responseCode = "200",
                        description =
                                "the values of these things, oldest first; of what nothing is known there is no series",
                        content = @Content(schema = @Schema(ref = "#/components/schemas/History"))),
                @ApiResponse(responseCode = "400", description = "a parameter is not valid")
            })
    public JsonNode get(
            @Parameter(
                            required = true,
                            description = "names of 100 things at most between commas, such as"
                                    + " link:l1/1-l2/1,policy:gold; a link is one direction")
                    @QueryParam("of")
                    String of,
            @Parameter(description = "in so many points, 1 to 360; 60 if it is left out") @QueryParam("points")
                    String points) {
        Lookback now = keeper.lookback();
        return HistoryView.of(now, HistoryQuery.parse(of, points, now.kinds()));
    }

    @GET
    @Path("state")
    @Operation(
            operationId = "getHistoryState",
            summary = "The states of nodes, links, hosts and intents at a moment of the last hour",
            tags = "network",
            responses = {
                @ApiResponse(
                        responseCode = "200",
                        description = "the states of that moment",
                        content = @Content(schema = @Schema(ref = "#/components/schemas/HistoryState"))),
                @ApiResponse(responseCode = "400", description = "it is no time, not yet, or too long ago")
            })
    public JsonNode state(
            @Parameter(description = "a time as 2026-11-23T10:00:00Z, or how many seconds ago; now if it is left out")
                    @QueryParam("at")
                    String at) {
        return HistoryView.states(keeper.lookback(), at);
    }
}
