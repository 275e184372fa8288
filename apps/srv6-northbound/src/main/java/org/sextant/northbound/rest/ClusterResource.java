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
import org.sextant.core.intent.Intents;
import org.sextant.core.port.Coordination;
import org.sextant.core.port.Inventory;
import org.sextant.core.rest.RestResource;
import org.sextant.northbound.cluster.Shares;
import org.sextant.northbound.view.ClusterView;

/** The controllers there are, and which of them acts for which node. */
@Component(service = RestResource.class)
@Path("cluster")
@Produces(MediaType.APPLICATION_JSON)
public class ClusterResource implements RestResource {
    @Reference
    protected Coordination coordination;

    @Reference
    protected Inventory inventory;

    @Reference
    protected Intents intents;

    @GET
    @Operation(
            operationId = "getCluster",
            summary = "The members of the cluster, which of them acts for which node, and their compiler versions",
            description = "As the member that answers sees it; a controller alone is a cluster of one.",
            tags = "network",
            responses =
                    @ApiResponse(
                            responseCode = "200",
                            description = "the cluster as it is known now",
                            content = @Content(schema = @Schema(ref = "#/components/schemas/Cluster"))))
    public JsonNode get() {
        return ClusterView.of(
                Shares.of(coordination, inventory.snapshot().nodes().keySet()), intents.compilerStatus());
    }
}
