// SPDX-License-Identifier: Apache-2.0
package org.sextant.usid.rest;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
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
import java.util.List;
import java.util.Optional;
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
import org.sextant.core.Problem;
import org.sextant.core.ProblemException;
import org.sextant.core.intent.IntentStatus;
import org.sextant.core.json.ProblemJson;
import org.sextant.core.rest.RestResource;
import org.sextant.kit.Settling;
import org.sextant.northbound.answer.JsonAnswer;
import org.sextant.northbound.answer.Page;
import org.sextant.usid.Policy;
import org.sextant.usid.service.ListReceipt;
import org.sextant.usid.service.Policies;
import org.sextant.usid.service.PolicyBody;
import org.sextant.usid.service.PolicyProbes;
import org.sextant.usid.service.PolicyQuery;
import org.sextant.usid.service.PolicyView;
import org.sextant.usid.service.Receipt;
import org.sextant.usid.service.Removal;

/** SR policies. A POST waits a while for the nodes, so that its answer can say what became of the policy. */
@Component(service = RestResource.class)
@Path("policies")
@Produces(MediaType.APPLICATION_JSON)
@RolesAllowed({"admin", "viewer"})
public class PoliciesResource implements RestResource {
    private static final Duration PATIENCE = Duration.ofSeconds(20);
    private static final String PAPER =
            "{\"from\": \"h11\", \"to\": \"h31\", \"nodes\": [\"l1\", \"l2\", \"p7\", \"p6\", \"v5\", \"v4\", \"l3\"]}";
    private static final String GENERAL =
            "{\"headend\": \"l1\", \"hops\": [{\"node\": \"v8\", \"loose\": true}, {\"link\": \"v8-p6\"}], \"egress\":"
                    + " \"l3\", \"steering\": [\"h31\"]}";

    @Reference
    protected Policies policies;

    @Reference
    protected PolicyProbes probes;

    @POST
    @Consumes(MediaType.APPLICATION_JSON)
    @RolesAllowed("admin")
    @Operation(
            operationId = "addPolicies",
            summary = "Stores and installs a policy, or a list of them",
            description =
                    "Posting the same again is not a second policy; posting a named policy with other content replaces"
                            + " it under traffic. With dryRun nothing changes and the answer is the plan: containers,"
                            + " every hop, bytes, MTU, entries.",
            tags = "policies",
            requestBody =
                    @RequestBody(
                            required = true,
                            content =
                                    @Content(
                                            mediaType = MediaType.APPLICATION_JSON,
                                            schema = @Schema(ref = "#/components/schemas/PolicyOrList"),
                                            examples = {
                                                @ExampleObject(name = "the paper's form", value = PAPER),
                                                @ExampleObject(name = "the general form", value = GENERAL)
                                            })),
            responses = {
                @ApiResponse(
                        responseCode = "200",
                        description = "it was there already or was replaced; with dryRun: the plan",
                        content = @Content(schema = @Schema(ref = "#/components/schemas/PolicyOrPlan"))),
                @ApiResponse(
                        responseCode = "201",
                        description = "new and installed; Location names it if it is one",
                        content = @Content(schema = @Schema(ref = "#/components/schemas/PolicyOrReceipt"))),
                @ApiResponse(
                        responseCode = "202",
                        description = "stored, but not (fully) installed: troubles says why, per entry",
                        content = @Content(schema = @Schema(ref = "#/components/schemas/PolicyOrReceipt"))),
                @ApiResponse(
                        responseCode = "207",
                        description = "of a list, some were rejected; each item has its own status",
                        content = @Content(schema = @Schema(ref = "#/components/schemas/PolicyListReceipt"))),
                @ApiResponse(responseCode = "400", description = "not a valid policy"),
                @ApiResponse(responseCode = "403", description = "the user may not write"),
                @ApiResponse(responseCode = "409", description = "another policy owns what this one steers"),
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
        PolicyBody posted = PolicyBody.read(body);
        if (posted.single().isEmpty()) {
            return dryRun ? Response.ok(plans(posted)).build() : post(posted);
        }
        Policy policy = posted.single().get();
        if (dryRun) {
            return Response.ok(policies.dryRun(policy).explanation()).build();
        }
        Receipt receipt = Receipt.submit(policies, policy, PATIENCE);
        return Response.status(receipt.code())
                .location(
                        uri.getAbsolutePathBuilder().path(receipt.status().id()).build())
                .entity(PolicyView.of(receipt.status()))
                .build();
    }

    private Response post(PolicyBody list) throws IOException {
        ListReceipt receipt = ListReceipt.submit(policies, list, PATIENCE);
        return Response.status(receipt.code())
                .entity(new JsonAnswer(receipt::write))
                .build();
    }

    private JsonAnswer plans(PolicyBody list) {
        return new JsonAnswer(json -> {
            json.writeStartObject();
            json.writeArrayFieldStart("items");
            list.each(item -> json.writeTree(plan(item)));
            json.writeEndArray();
            json.writeEndObject();
        });
    }

    private ObjectNode plan(PolicyBody.Item item) {
        try {
            if (!item.readable()) {
                throw new ProblemException(item.problems());
            }
            return policies.dryRun(item.policy()).explanation();
        } catch (ProblemException e) {
            return ProblemJson.errors(e.problems());
        }
    }

    @GET
    @Operation(
            operationId = "listPolicies",
            summary = "All policies with their state, or those between two ends",
            tags = "policies",
            responses = {
                @ApiResponse(
                        responseCode = "200",
                        description = "a list of policies, by id",
                        content =
                                @Content(
                                        array =
                                                @ArraySchema(
                                                        schema = @Schema(ref = "#/components/schemas/PolicyStatus")))),
                @ApiResponse(responseCode = "400", description = "a filter is not valid")
            })
    public Response list(
            @Parameter(description = "host, address or prefix; of the general form the headend") @QueryParam("source")
                    String source,
            @Parameter(description = "host, address or prefix") @QueryParam("destination") String destination,
            @Parameter(description = "at most so many, 1 to 100000; the header Link names the next page")
                    @QueryParam("limit")
                    String limit,
            @Parameter(description = "only those behind this id") @QueryParam("after") String after,
            @Parameter(hidden = true) @Context UriInfo uri) {
        Page page = Page.parse(limit, after);
        Page.Part<IntentStatus<Policy>> part =
                page.of(policies.find(PolicyQuery.parse(source, destination, null)), IntentStatus::id);
        return page.link(Response.ok(JsonAnswer.list(part.elements(), PolicyView::of)), uri, part.next())
                .build();
    }

    @GET
    @Path("{id}")
    @Operation(
            operationId = "getPolicy",
            summary = "One policy with its state and, where it is not installed, why",
            tags = "policies",
            responses = {
                @ApiResponse(
                        responseCode = "200",
                        description = "the policy",
                        content = @Content(schema = @Schema(ref = "#/components/schemas/PolicyStatus"))),
                @ApiResponse(responseCode = "404", description = "there is no policy of that id")
            })
    public JsonNode get(@PathParam("id") String id) {
        return PolicyView.of(policies.get(id));
    }

    @GET
    @Path("{id}/plan")
    @Operation(
            operationId = "getPolicyPlan",
            summary = "What a policy does to the packets in the network as it is now",
            tags = "policies",
            responses = {
                @ApiResponse(
                        responseCode = "200",
                        description = "the plan",
                        content = @Content(schema = @Schema(ref = "#/components/schemas/PolicyPlan"))),
                @ApiResponse(responseCode = "404", description = "there is no policy of that id"),
                @ApiResponse(responseCode = "422", description = "the network cannot do it any more")
            })
    public JsonNode plan(@PathParam("id") String id) {
        return policies.plan(id).explanation();
    }

    @POST
    @Path("{id}/probe")
    @RolesAllowed("admin")
    @Operation(
            operationId = "probePolicy",
            summary = "Sends packets through a policy and counts the answers",
            description =
                    "Each headend of the policy pings a host in each prefix that it steers there, with a packet of its own that"
                            + " is steered as users' packets are. The way back is whatever leads to the headend.",
            tags = "policies",
            responses = {
                @ApiResponse(
                        responseCode = "200",
                        description = "what was sent and answered",
                        content = @Content(schema = @Schema(ref = "#/components/schemas/PolicyProbe"))),
                @ApiResponse(responseCode = "400", description = "a parameter is not valid"),
                @ApiResponse(responseCode = "404", description = "there is no policy of that id"),
                @ApiResponse(
                        responseCode = "422",
                        description = "it does not steer the destination, or this host of the controller cannot try it")
            })
    public JsonNode probe(
            @PathParam("id") String id,
            @Parameter(description = "requests per prefix, 1 to 100; 5 if it is left out") @QueryParam("count")
                    String count,
            @Parameter(description = "try this host or address only") @QueryParam("destination") String destination) {
        return probes.probe(id, PolicyProbes.count(count), Optional.ofNullable(destination))
                .view();
    }

    @DELETE
    @Path("{id}")
    @RolesAllowed("admin")
    @Operation(
            operationId = "removePolicy",
            summary = "Removes a policy and its entries",
            tags = "policies",
            responses = {
                @ApiResponse(
                        responseCode = "202",
                        description =
                                "deleted, but nodes may still have entries of it: troubles says which and why. They go"
                                        + " when the node can be written",
                        content = @Content(schema = @Schema(ref = "#/components/schemas/PolicyStatus"))),
                @ApiResponse(responseCode = "204", description = "removed"),
                @ApiResponse(responseCode = "404", description = "there is no policy of that id")
            })
    public Response delete(@PathParam("id") String id) {
        Settling.await(policies.remove(List.of(id)), PATIENCE);
        return policies.leaving(id)
                .map(left -> Response.status(202).entity(PolicyView.of(left)))
                .orElseGet(Response::noContent)
                .build();
    }

    @DELETE
    @RolesAllowed("admin")
    @Operation(
            operationId = "removePolicies",
            summary = "Removes the one policy between two ends, or several policies",
            description =
                    "With ids those; with all=true every policy that matches source, destination and nodes, or every policy"
                            + " if none of these is given. Otherwise source and destination must match exactly one.",
            tags = "policies",
            responses = {
                @ApiResponse(
                        responseCode = "200",
                        description = "of several: removed",
                        content = @Content(schema = @Schema(ref = "#/components/schemas/Removal"))),
                @ApiResponse(
                        responseCode = "202",
                        description = "deleted, but nodes may still have entries of it, or of those in leaving",
                        content = @Content(schema = @Schema(ref = "#/components/schemas/PolicyOrRemoval"))),
                @ApiResponse(responseCode = "204", description = "of the one: removed"),
                @ApiResponse(
                        responseCode = "400",
                        description = "source or destination is missing, or both ways are mixed"),
                @ApiResponse(responseCode = "404", description = "there is no such policy"),
                @ApiResponse(
                        responseCode = "409",
                        description = "several match, and all is not true; nothing was removed")
            })
    public Response deleteSome(
            @Parameter(description = "host, address or prefix; of the general form the headend") @QueryParam("source")
                    String source,
            @Parameter(description = "host, address or prefix") @QueryParam("destination") String destination,
            @Parameter(description = "the nodes as they were posted, separated by commas") @QueryParam("nodes")
                    String nodes,
            @Parameter(description = "these policies, separated by commas") @QueryParam("ids") String ids,
            @Parameter(description = "all that match") @QueryParam("all") @DefaultValue("false") boolean all) {
        PolicyQuery query = PolicyQuery.parse(source, destination, nodes);
        if (ids != null) {
            if (all || !query.equals(PolicyQuery.ALL)) {
                throw new ProblemException(new Problem(
                        Problem.Code.INVALID,
                        "/ids",
                        "ids says already which policies are meant",
                        "give nothing beside it"));
            }
            return answer(Removal.of(policies, List.of(ids.split(",")), PATIENCE));
        }
        return all
                ? answer(Removal.matching(policies, query, PATIENCE))
                : delete(policies.only(query).id());
    }

    private static Response answer(Removal removal) {
        return Response.status(removal.leaving().isEmpty() ? 200 : 202)
                .entity(removal.view())
                .build();
    }
}
