// SPDX-License-Identifier: Apache-2.0
package org.sextant.mobile.gtp;

import com.fasterxml.jackson.databind.JsonNode;
import io.swagger.v3.oas.annotations.Operation;
import io.swagger.v3.oas.annotations.media.Content;
import io.swagger.v3.oas.annotations.media.Schema;
import io.swagger.v3.oas.annotations.parameters.RequestBody;
import io.swagger.v3.oas.annotations.responses.ApiResponse;
import java.io.IOException;
import java.io.InputStream;
import java.util.ArrayList;
import java.util.Optional;
import javax.annotation.security.RolesAllowed;
import javax.ws.rs.Consumes;
import javax.ws.rs.POST;
import javax.ws.rs.Path;
import javax.ws.rs.Produces;
import javax.ws.rs.core.MediaType;
import org.osgi.service.component.annotations.Component;
import org.osgi.service.component.annotations.Reference;
import org.sextant.core.json.BoundedJson;
import org.sextant.core.json.Fields;
import org.sextant.core.rest.RestResource;
import org.sextant.mobile.session.SessionApp;
import org.sextant.mobile.slice.SliceApp;

/** The REST resource that explains a captured packet, beside those of slices and sessions. */
@Component(service = RestResource.class)
@Path("gtp/explain")
@Produces(MediaType.APPLICATION_JSON)
public class GtpResource implements RestResource {
    private static final BoundedJson JSON = new BoundedJson(256 << 10, 4);

    @Reference
    protected SliceApp slices;

    @Reference
    protected SessionApp sessions;

    @POST
    @Consumes(MediaType.APPLICATION_JSON)
    @RolesAllowed({"admin", "viewer"})
    @Operation(
            operationId = "explainGtp",
            summary = "Explains the treatment of a captured GTP-U packet",
            description =
                    "Which slice and session take it at which gateway, the segments it travels with, and what comes out;"
                            + " where it is not translated, why.",
            tags = "slices",
            requestBody =
                    @RequestBody(
                            required = true,
                            content =
                                    @Content(
                                            mediaType = MediaType.APPLICATION_JSON,
                                            schema = @Schema(ref = "#/components/schemas/GtpCapture"))),
            responses = {
                @ApiResponse(
                        responseCode = "200",
                        description = "what becomes of it",
                        content = @Content(schema = @Schema(ref = "#/components/schemas/GtpExplanation"))),
                @ApiResponse(responseCode = "400", description = "it is no GTP-U packet, and what it is instead")
            })
    public JsonNode explain(InputStream body) throws IOException {
        Fields fields = new Fields(JSON.read(body), "", new ArrayList<>());
        fields.require("hex", "give the packet in hexadecimal digits, from its IP header on");
        Optional<String> hex = fields.text("hex");
        fields.finishOrThrow();
        return new Explainer(slices.intents(), sessions.intents()).explain(hex.orElseThrow());
    }
}
