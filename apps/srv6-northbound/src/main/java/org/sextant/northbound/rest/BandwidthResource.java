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
import org.sextant.core.rest.RestResource;
import org.sextant.northbound.view.BandwidthView;

/** The controller's account of the capacity of links. */
@Component(service = RestResource.class)
@Path("bandwidth")
@Produces(MediaType.APPLICATION_JSON)
public class BandwidthResource implements RestResource {
    @Reference
    protected Intents intents;

    @GET
    @Operation(
            operationId = "getBandwidth",
            summary = "How much of each link is reserved, and by whom",
            tags = "network",
            responses =
                    @ApiResponse(
                            responseCode = "200",
                            description = "the links of known capacity, and those of which something is reserved",
                            content = @Content(schema = @Schema(ref = "#/components/schemas/Bandwidth"))))
    public JsonNode get() {
        return BandwidthView.of(intents.context().network(), intents.reservations());
    }
}
