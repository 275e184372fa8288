// SPDX-License-Identifier: Apache-2.0
package org.sextant.sera.app;

import com.fasterxml.jackson.databind.JsonNode;
import io.swagger.v3.oas.annotations.Operation;
import io.swagger.v3.oas.annotations.media.Content;
import io.swagger.v3.oas.annotations.media.Schema;
import io.swagger.v3.oas.annotations.responses.ApiResponse;
import javax.annotation.security.RolesAllowed;
import javax.ws.rs.GET;
import javax.ws.rs.Path;
import javax.ws.rs.PathParam;
import javax.ws.rs.Produces;
import javax.ws.rs.core.MediaType;
import org.osgi.service.component.annotations.Component;
import org.osgi.service.component.annotations.Reference;
import org.sextant.core.rest.RestResource;

/** The REST resource of rule counters. */
@Component(service = RestResource.class)
@Path("firewalls/{id}/counters")
@Produces(MediaType.APPLICATION_JSON)
public class FirewallCounters implements RestResource {
    @Reference
    protected FirewallApp firewalls;

    @Reference
    protected FirewallEvents news;

    @GET
    @RolesAllowed({"admin", "viewer"})
    @Operation(
            operationId = "getFirewallCounters",
            summary = "Packets and bytes that each rule of a firewall took",
            description =
                    "Read from the node now. Another version counts from 0; so does a node that was started again: since says which is"
                            + " later, as far as readings of this controller show. lastHit is measured by the node; of one that does"
                            + " not, lastHitAfter and lastHitBefore are the readings between which the counter moved last. Beside them"
                            + " packets that the firewall dropped for other reasons, whatever its version. While live is true,"
                            + " firewallCounters of GET /srv6/events report rules with new hits.",
            tags = "firewalls",
            responses = {
                @ApiResponse(
                        responseCode = "200",
                        description = "the counters; read is false if the node does not answer",
                        content = @Content(schema = @Schema(ref = "#/components/schemas/FirewallCounters"))),
                @ApiResponse(responseCode = "404", description = "there is no firewall of that id")
            })
    public JsonNode counters(@PathParam("id") String id) {
        return firewalls.counters(id).put("live", news.counts(id));
    }
}
