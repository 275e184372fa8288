// SPDX-License-Identifier: Apache-2.0
package org.sextant.livelive.rest;

import com.fasterxml.jackson.databind.JsonNode;
import io.swagger.v3.oas.annotations.Operation;
import io.swagger.v3.oas.annotations.Parameter;
import io.swagger.v3.oas.annotations.media.ArraySchema;
import io.swagger.v3.oas.annotations.media.Content;
import io.swagger.v3.oas.annotations.media.ExampleObject;
import io.swagger.v3.oas.annotations.media.Schema;
import io.swagger.v3.oas.annotations.parameters.RequestBody;
import io.swagger.v3.oas.annotations.responses.ApiResponse;
import java.io.IOException;
import java.io.InputStream;
import java.time.Duration;
import javax.annotation.security.RolesAllowed;
import javax.ws.rs.Consumes;
import javax.ws.rs.DELETE;
import javax.ws.rs.DefaultValue;
import javax.ws.rs.GET;
import javax.ws.rs.POST;
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
import org.sextant.core.intent.IntentState;
import org.sextant.core.json.BoundedJson;
import org.sextant.core.rest.RestResource;
import org.sextant.kit.Settling;
import org.sextant.livelive.LiveLive;
import org.sextant.livelive.LiveLiveJson;
import org.sextant.livelive.service.LiveLives;

/** Live-Live flows. A POST waits a while for the nodes, so that its answer can say what became of the flow. */
@Component(service = RestResource.class)
@Path("livelive")
@Produces(MediaType.APPLICATION_JSON)
@RolesAllowed({"admin", "viewer"})
public class LiveLiveResource implements RestResource {
    private static final Duration PATIENCE = Duration.ofSeconds(20);
    private static final int MAX_BYTES = 64 << 10;
    private static final int MAX_DEPTH = 8;
    private static final String TWO = "{\"from\": \"h11\", \"to\": \"h31\", \"paths\": 2}";
    private static final String GIVEN =
            "{\"name\": \"video\", \"from\": \"h11\", \"to\": \"h31\", \"protocol\": \"udp\", \"destinationPort\": 5004,"
                    + " \"paths\": [[\"l1\", \"l2\", \"l3\"], [\"l1\", \"l2\", \"p7\", \"p6\", \"v4\", \"l3\"]]}";

    @Reference
    protected LiveLives flows;

    @POST
    @Consumes(MediaType.APPLICATION_JSON)
    @RolesAllowed("admin")
    @Operation(
            operationId = "addLiveLive",
            summary = "Copies a flow over several paths and delivers each packet once",
            description =
                    "Posting the same again is not a second flow; posting a named flow with other content replaces it"
                            + " under traffic. With dryRun nothing changes and the answer is the plan: paths, segment"
                            + " lists, what had to be relaxed.",
            tags = "livelive",
            requestBody =
                    @RequestBody(
                            required = true,
                            content =
                                    @Content(
                                            mediaType = MediaType.APPLICATION_JSON,
                                            schema = @Schema(ref = "#/components/schemas/Flow"),
                                            examples = {
                                                @ExampleObject(name = "two node-disjoint paths", value = TWO),
                                                @ExampleObject(name = "given paths", value = GIVEN)
                                            })),
            responses = {
                @ApiResponse(
                        responseCode = "200",
                        description = "it was there already or was replaced; with dryRun: the plan",
                        content = @Content(schema = @Schema(ref = "#/components/schemas/FlowOrPlan"))),
                @ApiResponse(
                        responseCode = "201",
                        description = "new and installed; Location names it",
                        content = @Content(schema = @Schema(ref = "#/components/schemas/FlowStatus"))),
                @ApiResponse(
                        responseCode = "202",
                        description = "stored, but not (fully) installed: troubles says why, per entry",
                        content = @Content(schema = @Schema(ref = "#/components/schemas/FlowStatus"))),
                @ApiResponse(responseCode = "400", description = "not a valid flow"),
                @ApiResponse(responseCode = "403", description = "the user may not write"),
                @ApiResponse(responseCode = "409", description = "another flow has packets of this one"),
                @ApiResponse(
                        responseCode = "422",
                        description = "it names what is not there, or this network cannot do it")
            })
    public Response post(
            @Parameter(hidden = true) InputStream body,
            @Parameter(description = "only say what would happen") @QueryParam("dryRun") @DefaultValue("false")
                    boolean dryRun,
            @Parameter(hidden = true) @Context UriInfo uri)
            throws IOException {
        LiveLive flow = LiveLiveJson.decode(new BoundedJson(MAX_BYTES, MAX_DEPTH).read(body));
        if (dryRun) {
            return Response.ok(flows.dryRun(flow).explanation()).build();
        }
        LiveLives.Receipt receipt = flows.submit(flow);
        String id = receipt.status().id();
        Settling.await(receipt.settled(), PATIENCE);
        boolean installed = flows.get(id).state() == IntentState.INSTALLED;
        int code = !receipt.changed() ? 200 : !installed ? 202 : receipt.created() ? 201 : 200;
        return Response.status(code)
                .location(uri.getAbsolutePathBuilder().path(id).build())
                .entity(flows.view(id))
                .build();
    }

    @GET
    @Operation(
            operationId = "listLiveLive",
            summary = "All flows with their state, their paths and, as of the last reading, what those deliver",
            tags = "livelive",
            responses =
                    @ApiResponse(
                            responseCode = "200",
                            description = "a list of flows, by id",
                            content =
                                    @Content(
                                            array =
                                                    @ArraySchema(
                                                            schema =
                                                                    @Schema(ref = "#/components/schemas/FlowStatus")))))
    public JsonNode list() {
        return flows.views();
    }

    @GET
    @Path("{id}")
    @Operation(
            operationId = "getLiveLive",
            summary = "One flow with what its paths deliver now: sent, first, duplicate, late, lost, share of wins",
            tags = "livelive",
            responses = {
                @ApiResponse(
                        responseCode = "200",
                        description = "the flow",
                        content = @Content(schema = @Schema(ref = "#/components/schemas/FlowStatus"))),
                @ApiResponse(responseCode = "404", description = "there is no flow of that id")
            })
    public JsonNode get(@PathParam("id") String id) {
        return flows.view(id);
    }

    @DELETE
    @Path("{id}")
    @RolesAllowed("admin")
    @Operation(
            operationId = "removeLiveLive",
            summary = "Removes a flow and its entries; its packets take the usual way again",
            tags = "livelive",
            responses = {
                @ApiResponse(
                        responseCode = "202",
                        description =
                                "deleted, but nodes may still have entries of it: troubles says which and why. They go"
                                        + " when the node can be written",
                        content = @Content(schema = @Schema(ref = "#/components/schemas/FlowStatus"))),
                @ApiResponse(responseCode = "204", description = "removed"),
                @ApiResponse(responseCode = "404", description = "there is no flow of that id")
            })
    public Response delete(@PathParam("id") String id) {
        Settling.await(flows.remove(id), PATIENCE);
        return flows.leaving(id)
                .map(left -> Response.status(202).entity(left))
                .orElseGet(Response::noContent)
                .build();
    }
}
