// SPDX-License-Identifier: Apache-2.0
package org.sextant.sera.app;

import com.fasterxml.jackson.databind.JsonNode;
import io.swagger.v3.oas.annotations.Operation;
import io.swagger.v3.oas.annotations.media.Content;
import io.swagger.v3.oas.annotations.media.Schema;
import io.swagger.v3.oas.annotations.parameters.RequestBody;
import io.swagger.v3.oas.annotations.responses.ApiResponse;
import java.io.IOException;
import java.io.InputStream;
import javax.annotation.security.RolesAllowed;
import javax.ws.rs.Consumes;
import javax.ws.rs.POST;
import javax.ws.rs.Path;
import javax.ws.rs.PathParam;
import javax.ws.rs.Produces;
import javax.ws.rs.core.MediaType;
import org.osgi.service.component.annotations.Component;
import org.osgi.service.component.annotations.Reference;
import org.sextant.core.json.BoundedJson;
import org.sextant.core.rest.RestResource;

/** The REST resource that traces a packet through a firewall, without sending one. */
@Component(service = RestResource.class)
@Path("firewalls/{id}/trace")
@Produces(MediaType.APPLICATION_JSON)
public class FirewallTrace implements RestResource {
    static final BoundedJson JSON = new BoundedJson(256 << 10, 6);

    @Reference
    protected FirewallApp firewalls;

    @POST
    @Consumes(MediaType.APPLICATION_JSON)
    @RolesAllowed({"admin", "viewer"})
    @Operation(
            operationId = "traceFirewall",
            summary = "Says what a firewall does with a packet, and which rule says so",
            description =
                    "The packet is given in hexadecimal digits, as it comes to the firewall's node, or described. For each rule"
                            + " that passes it over, the field is named by which it differs. With a policy the packet is one"
                            + " that a host sends, and the answer has every node that it visits. No packet is sent.",
            tags = "firewalls",
            requestBody =
                    @RequestBody(
                            required = true,
                            content =
                                    @Content(
                                            mediaType = MediaType.APPLICATION_JSON,
                                            schema = @Schema(ref = "#/components/schemas/FirewallPacket"))),
            responses = {
                @ApiResponse(
                        responseCode = "200",
                        description = "what becomes of it",
                        content = @Content(schema = @Schema(ref = "#/components/schemas/FirewallTraced"))),
                @ApiResponse(responseCode = "400", description = "it is no packet, or does not come to this firewall"),
                @ApiResponse(responseCode = "404", description = "there is no firewall of that id"),
                @ApiResponse(
                        responseCode = "422",
                        description =
                                "the firewall is not installed; no such policy leads through it, or does not carry the packet")
            })
    public JsonNode trace(@PathParam("id") String id, InputStream body) throws IOException {
        return firewalls.trace(id, JSON.read(body));
    }
}
