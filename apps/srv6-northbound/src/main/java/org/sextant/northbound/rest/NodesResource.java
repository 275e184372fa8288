// SPDX-License-Identifier: Apache-2.0
package org.sextant.northbound.rest;

import com.fasterxml.jackson.databind.JsonNode;
import io.swagger.v3.oas.annotations.Operation;
import io.swagger.v3.oas.annotations.Parameter;
import io.swagger.v3.oas.annotations.media.ArraySchema;
import io.swagger.v3.oas.annotations.media.Content;
import io.swagger.v3.oas.annotations.media.Schema;
import io.swagger.v3.oas.annotations.responses.ApiResponse;
import javax.ws.rs.GET;
import javax.ws.rs.Path;
import javax.ws.rs.PathParam;
import javax.ws.rs.Produces;
import javax.ws.rs.QueryParam;
import javax.ws.rs.core.Context;
import javax.ws.rs.core.MediaType;
import javax.ws.rs.core.Response;
import javax.ws.rs.core.UriInfo;
import org.osgi.service.component.annotations.Component;
import org.osgi.service.component.annotations.Reference;
import org.sextant.core.intent.Intents;
import org.sextant.core.port.Inventory;
import org.sextant.core.rest.RestResource;
import org.sextant.northbound.answer.Page;
import org.sextant.northbound.view.EntryView;
import org.sextant.northbound.view.NodeView;

/** The nodes: whether their entries are known, their features, and their entries. */
@Component(service = RestResource.class)
@Path("nodes")
@Produces(MediaType.APPLICATION_JSON)
public class NodesResource implements RestResource {
    @Reference
    protected Inventory inventory;

    @Reference
    protected Intents intents;

    @GET
    @Operation(
            operationId = "listNodes",
            summary = "All nodes with their state",
            tags = "network",
            responses =
                    @ApiResponse(
                            responseCode = "200",
                            description = "a list of nodes",
                            content =
                                    @Content(
                                            array =
                                                    @ArraySchema(
                                                            schema =
                                                                    @Schema(
                                                                            ref =
                                                                                    "#/components/schemas/NodeSummary")))))
    public JsonNode list() {
        return NodeView.list(inventory.snapshot(), intents);
    }

    @GET
    @Path("{name}")
    @Operation(
            operationId = "getNode",
            summary = "One node: configuration, ports, capabilities",
            tags = "network",
            responses = {
                @ApiResponse(
                        responseCode = "200",
                        description = "the node",
                        content = @Content(schema = @Schema(ref = "#/components/schemas/NodeDetail"))),
                @ApiResponse(responseCode = "404", description = "there is no node of that name")
            })
    public JsonNode get(@Parameter(description = "for example l1") @PathParam("name") String name) {
        return NodeView.of(inventory.snapshot(), intents, name);
    }

    @GET
    @Path("{name}/entries")
    @Operation(
            operationId = "listNodeEntries",
            summary = "The entries wanted on a node, with state, reason and counters",
            tags = "network",
            responses = {
                @ApiResponse(
                        responseCode = "200",
                        description = "a list of entries",
                        content = @Content(array = @ArraySchema(schema = @Schema(ref = "#/components/schemas/Entry")))),
                @ApiResponse(responseCode = "404", description = "there is no node of that name")
            })
    public Response entries(
            @PathParam("name") String name,
            @Parameter(description = "at most so many, 1 to 100000; the header Link names the next page")
                    @QueryParam("limit")
                    String limit,
            @Parameter(description = "only those behind this one: node, table and match") @QueryParam("after")
                    String after,
            @Parameter(hidden = true) @Context UriInfo uri) {
        return EntriesResource.answer(
                EntryView.find(inventory.snapshot(), intents, name, null, null), Page.parse(limit, after), uri);
    }
}
