// SPDX-License-Identifier: Apache-2.0
package org.sextant.northbound.rest;

import io.swagger.v3.oas.annotations.Operation;
import io.swagger.v3.oas.annotations.Parameter;
import io.swagger.v3.oas.annotations.media.ArraySchema;
import io.swagger.v3.oas.annotations.media.Content;
import io.swagger.v3.oas.annotations.media.Schema;
import io.swagger.v3.oas.annotations.responses.ApiResponse;
import java.util.List;
import javax.ws.rs.GET;
import javax.ws.rs.Path;
import javax.ws.rs.Produces;
import javax.ws.rs.QueryParam;
import javax.ws.rs.core.Context;
import javax.ws.rs.core.MediaType;
import javax.ws.rs.core.Response;
import javax.ws.rs.core.UriInfo;
import org.osgi.service.component.annotations.Component;
import org.osgi.service.component.annotations.Reference;
import org.sextant.core.intent.EntryStatus;
import org.sextant.core.intent.Intents;
import org.sextant.core.port.Inventory;
import org.sextant.core.rest.RestResource;
import org.sextant.northbound.answer.JsonAnswer;
import org.sextant.northbound.answer.Page;
import org.sextant.northbound.view.EntryView;

/** Every wanted entry and, where it is not installed, why. */
@Component(service = RestResource.class)
@Path("entries")
@Produces(MediaType.APPLICATION_JSON)
public class EntriesResource implements RestResource {
    @Reference
    protected Inventory inventory;

    @Reference
    protected Intents intents;

    @GET
    @Operation(
            operationId = "listEntries",
            summary = "Entries of all nodes, with state, reason and counters",
            tags = "network",
            responses = {
                @ApiResponse(
                        responseCode = "200",
                        description = "a list of entries",
                        content = @Content(array = @ArraySchema(schema = @Schema(ref = "#/components/schemas/Entry")))),
                @ApiResponse(responseCode = "400", description = "a filter is not valid"),
                @ApiResponse(responseCode = "404", description = "there is no node of that name")
            })
    public Response list(
            @Parameter(description = "only of this node") @QueryParam("node") String node,
            @Parameter(description = "only of this intent, as kind/id") @QueryParam("intent") String intent,
            @Parameter(description = "installed, pending, failed or removing") @QueryParam("state") String state,
            @Parameter(description = "at most so many, 1 to 100000; the header Link names the next page")
                    @QueryParam("limit")
                    String limit,
            @Parameter(description = "only those behind this one: node, table and match") @QueryParam("after")
                    String after,
            @Parameter(hidden = true) @Context UriInfo uri) {
        return answer(
                EntryView.find(inventory.snapshot(), intents, node, intent, state), Page.parse(limit, after), uri);
    }

    static Response answer(List<EntryStatus> entries, Page page, UriInfo uri) {
        Page.Part<EntryStatus> part = page.of(entries, EntryView::name, EntryView::compare);
        return page.link(Response.ok(JsonAnswer.list(part.elements(), EntryView::of)), uri, part.next())
                .build();
    }
}
