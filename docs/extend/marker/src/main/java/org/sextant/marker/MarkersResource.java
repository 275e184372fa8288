// SPDX-License-Identifier: Apache-2.0
package org.sextant.marker;

import com.fasterxml.jackson.databind.JsonNode;
import io.swagger.v3.oas.annotations.Operation;
import io.swagger.v3.oas.annotations.Parameter;
import io.swagger.v3.oas.annotations.media.ArraySchema;
import io.swagger.v3.oas.annotations.media.Content;
import io.swagger.v3.oas.annotations.media.Schema;
import io.swagger.v3.oas.annotations.parameters.RequestBody;
import io.swagger.v3.oas.annotations.responses.ApiResponse;
import java.io.IOException;
import java.io.InputStream;
import javax.annotation.security.RolesAllowed;
import javax.ws.rs.Consumes;
import javax.ws.rs.DELETE;
import javax.ws.rs.GET;
import javax.ws.rs.POST;
import javax.ws.rs.Path;
import javax.ws.rs.PathParam;
import javax.ws.rs.Produces;
import javax.ws.rs.core.MediaType;
import org.osgi.service.component.annotations.Component;
import org.osgi.service.component.annotations.Reference;
import org.sextant.core.json.BoundedJson;
import org.sextant.core.rest.RestResource;

/** Markers at /srv6/markers. What goes wrong is thrown: the northbound makes problem+json of it. */
@Component(service = RestResource.class)
@Path("markers")
@Produces(MediaType.APPLICATION_JSON)
@RolesAllowed({"admin", "viewer"})
public class MarkersResource implements RestResource {
    private static final int MAX_BYTES = 4096;
    private static final int MAX_DEPTH = 2;

    @Reference
    protected Markers markers;

    @POST
    @Consumes(MediaType.APPLICATION_JSON)
    @RolesAllowed("admin")
    @Operation(
            operationId = "addMarker",
            summary = "Gives a node one more SID",
            tags = "markers",
            requestBody =
                    @RequestBody(
                            required = true,
                            content = @Content(schema = @Schema(ref = "#/components/schemas/Marker"))),
            responses =
                    @ApiResponse(
                            responseCode = "200",
                            description = "stored; state says whether it is installed",
                            content = @Content(schema = @Schema(ref = "#/components/schemas/MarkerStatus"))))
    public JsonNode post(@Parameter(hidden = true) InputStream body) throws IOException {
        return markers.add(new BoundedJson(MAX_BYTES, MAX_DEPTH).read(body));
    }

    @GET
    @Operation(
            operationId = "listMarkers",
            summary = "All markers",
            tags = "markers",
            responses =
                    @ApiResponse(
                            responseCode = "200",
                            description = "a list of markers, by id",
                            content =
                                    @Content(
                                            array =
                                                    @ArraySchema(
                                                            schema =
                                                                    @Schema(
                                                                            ref =
                                                                                    "#/components/schemas/MarkerStatus")))))
    public JsonNode list() {
        return markers.list();
    }

    @DELETE
    @Path("{id}")
    @RolesAllowed("admin")
    @Operation(
            operationId = "removeMarker",
            summary = "Takes the SID away",
            tags = "markers",
            responses = @ApiResponse(responseCode = "204", description = "removed"))
    public void delete(@PathParam("id") String id) {
        markers.remove(id);
    }
}
