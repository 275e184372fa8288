// SPDX-License-Identifier: Apache-2.0
package org.sextant.northbound.rest;

import com.fasterxml.jackson.databind.JsonNode;
import io.swagger.v3.oas.annotations.Operation;
import io.swagger.v3.oas.annotations.media.Content;
import io.swagger.v3.oas.annotations.media.Schema;
import io.swagger.v3.oas.annotations.responses.ApiResponse;
import javax.ws.rs.GET;
import javax.ws.rs.Path;
import javax.ws.rs.Produces;
import javax.ws.rs.core.MediaType;
import org.osgi.service.component.annotations.Component;
import org.osgi.service.component.annotations.Reference;
import org.sextant.core.port.DataPlane;
import org.sextant.core.port.Inventory;
import org.sextant.core.rest.RestResource;
import org.sextant.northbound.view.TopologyView;

/** Nodes, links and hosts as they are known now. */
@Component(service = RestResource.class)
@Path("topology")
@Produces(MediaType.APPLICATION_JSON)
public class TopologyResource implements RestResource {
    @Reference
    protected Inventory inventory;

    @Reference
    protected DataPlane dataPlane;

    @GET
    @Operation(
            operationId = "getTopology",
            summary = "Nodes, links (each direction) and hosts",
            tags = "network",
            responses =
                    @ApiResponse(
                            responseCode = "200",
                            description = "the network as it is known now",
                            content = @Content(schema = @Schema(ref = "#/components/schemas/Topology"))))
    public JsonNode get() {
        return TopologyView.of(inventory.snapshot(), dataPlane.ready());
    }
}
