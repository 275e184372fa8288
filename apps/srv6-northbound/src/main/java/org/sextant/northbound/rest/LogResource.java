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
import org.sextant.core.rest.RestResource;
import org.sextant.northbound.answer.Page;
import org.sextant.northbound.events.LogEvent;
import org.sextant.northbound.events.LogKeeper;
import org.sextant.northbound.events.LogQuery;
import org.sextant.northbound.view.LogView;

/** The events of links, nodes, intents and their paths since this controller started. */
@Component(service = RestResource.class)
@Path("log")
@Produces(MediaType.APPLICATION_JSON)
public class LogResource implements RestResource {
    @Reference
    protected LogKeeper keeper;

    @GET
    @Operation(
            operationId = "listEvents",
            summary = "What happened since this controller started, newest first",
            description =
                    "Links, nodes, intents, their paths, drift and audits. It is the memory of this controller and has bounds;"
                            + " what is durable is the audit trail. What flaps is one event with a count. The header Link"
                            + " leads to older ones. The event log of the stream /events announces new ones.",
            tags = "network",
            responses = {
                @ApiResponse(
                        responseCode = "200",
                        description = "the events",
                        content =
                                @Content(
                                        array = @ArraySchema(schema = @Schema(ref = "#/components/schemas/LogEvent")))),
                @ApiResponse(responseCode = "400", description = "a parameter is not valid")
            })
    public Response get(
            @Parameter(description = "link, node, intent, path, drift, audit, cluster or controller")
                    @QueryParam("kind")
                    String kind,
            @Parameter(description = "only of this kind of things or of this one, as policy or policy/gold")
                    @QueryParam("subject")
                    String subject,
            @Parameter(description = "info, warning or error: these and worse ones") @QueryParam("severity")
                    String severity,
            @Parameter(description = "only from this time on, as 2026-11-23T10:00:00Z") @QueryParam("since")
                    String since,
            @Parameter(description = "at most so many, 1,000 at most; 100 if it is left out") @QueryParam("limit")
                    String limit,
            @Parameter(description = "only older ones than the event of this number") @QueryParam("after") String after,
            @Parameter(hidden = true) @Context UriInfo uri) {
        LogQuery query = LogQuery.parse(kind, subject, severity, since, limit, after);
        List<LogEvent> events = keeper.find(query);
        return Page.ALL
                .link(Response.ok(LogView.of(events)), uri, LogView.next(events, query))
                .build();
    }
}
