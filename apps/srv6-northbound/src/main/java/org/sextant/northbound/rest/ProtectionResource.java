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
import org.sextant.core.intent.CompileContext;
import org.sextant.core.intent.Intents;
import org.sextant.core.rest.RestResource;
import org.sextant.northbound.view.OutageView;
import org.sextant.northbound.view.ProtectionView;

/** The protection of nodes from failures next to them. */
@Component(service = RestResource.class)
@Path("protection")
@Produces(MediaType.APPLICATION_JSON)
public class ProtectionResource implements RestResource {
    @Reference
    protected Intents intents;

    @GET
    @Operation(
            operationId = "getProtection",
            summary =
                    "Which destinations each node protects from what, by which repairs, and what is uncovered and why",
            tags = "network",
            responses = {
                @ApiResponse(
                        responseCode = "200",
                        description = "the protection of the network as it is now",
                        content = @Content(schema = @Schema(ref = "#/components/schemas/ProtectionCoverage"))),
                @ApiResponse(responseCode = "404", description = "there is no node or link of that name")
            })
    public JsonNode get(
            @Parameter(description = "only this node") @QueryParam("node") String node,
            @Parameter(
                            description =
                                    "a node or link that is taken to be lost: what would become of packets is the answer's outage")
                    @QueryParam("failed")
                    String failed) {
        CompileContext context = intents.context();
        return failed == null
                ? ProtectionView.of(context, node)
                : ProtectionView.with(OutageView.of(intents, failed), context, node);
    }
}
