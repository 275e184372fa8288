// SPDX-License-Identifier: Apache-2.0
package org.sextant.edge.app;

import com.fasterxml.jackson.databind.JsonNode;
import io.swagger.v3.oas.annotations.Operation;
import io.swagger.v3.oas.annotations.media.Content;
import io.swagger.v3.oas.annotations.media.Schema;
import io.swagger.v3.oas.annotations.responses.ApiResponse;
import javax.ws.rs.GET;
import javax.ws.rs.Path;
import javax.ws.rs.PathParam;
import javax.ws.rs.Produces;
import javax.ws.rs.core.MediaType;
import org.osgi.service.component.annotations.Component;
import org.osgi.service.component.annotations.Reference;
import org.sextant.core.rest.RestResource;

/** The edge of the domain: the built-in filter of each node. */
@Component(service = RestResource.class)
@Path("edge")
@Produces(MediaType.APPLICATION_JSON)
public class EdgeResource implements RestResource {
    @Reference
    protected EdgeApp edge;

    @GET
    @Operation(
            operationId = "getEdge",
            summary = "Who is behind which port, for whom it is open, and what was dropped there",
            description = "Counters are read from the nodes now; they count since a node's data plane was started."
                    + " A peer's count since its row was written. Nodes that do not offer the filter are listed.",
            tags = "edge",
            responses =
                    @ApiResponse(
                            responseCode = "200",
                            description = "the edge of all nodes",
                            content = @Content(schema = @Schema(ref = "#/components/schemas/Edge"))))
    public JsonNode all() {
        return edge.edge();
    }

    @GET
    @Path("nodes/{node}")
    @Operation(
            operationId = "getNodeEdge",
            summary = "The edge of one node",
            tags = "edge",
            responses = {
                @ApiResponse(
                        responseCode = "200",
                        description = "its ports",
                        content = @Content(schema = @Schema(ref = "#/components/schemas/NodeEdge"))),
                @ApiResponse(responseCode = "404", description = "there is no node of that name")
            })
    public JsonNode one(@PathParam("node") String node) {
        return edge.edge(node);
    }
}
