// SPDX-License-Identifier: Apache-2.0
package org.sextant.sera.app;

import com.fasterxml.jackson.databind.JsonNode;
import io.swagger.v3.oas.annotations.Operation;
import io.swagger.v3.oas.annotations.Parameter;
import io.swagger.v3.oas.annotations.media.Content;
import io.swagger.v3.oas.annotations.media.Schema;
import io.swagger.v3.oas.annotations.responses.ApiResponse;
import javax.annotation.security.RolesAllowed;
import javax.ws.rs.GET;
import javax.ws.rs.Path;
import javax.ws.rs.PathParam;
import javax.ws.rs.Produces;
import javax.ws.rs.QueryParam;
import javax.ws.rs.core.MediaType;
import org.jspecify.annotations.Nullable;
import org.osgi.service.component.annotations.Component;
import org.osgi.service.component.annotations.Reference;
import org.sextant.core.Problem;
import org.sextant.core.ProblemException;
import org.sextant.core.json.Fields;
import org.sextant.core.rest.RestResource;

/** The REST resource of the last packets that rules with log matched. */
@Component(service = RestResource.class)
@Path("firewalls/{id}/log")
@Produces(MediaType.APPLICATION_JSON)
public class FirewallLog implements RestResource {
    static final int USUAL = 50;

    @Reference
    protected FirewallEvents news;

    @GET
    @RolesAllowed({"admin", "viewer"})
    @Operation(
            operationId = "getFirewallLog",
            summary = "Packets that rules of a firewall with log took last, latest first",
            description =
                    "As nodes reported them since the start of this controller; the last 200 are kept. Nodes report 20 packets a second"
                            + " of a firewall: unlogged counts the others, and lost those that were reported and did not"
                            + " arrive. heard is false on a host without reports from nodes. GET /srv6/events sends"
                            + " the same as firewallLog when it happens.",
            tags = "firewalls",
            responses = {
                @ApiResponse(
                        responseCode = "200",
                        description = "the lines",
                        content = @Content(schema = @Schema(ref = "#/components/schemas/FirewallLog"))),
                @ApiResponse(responseCode = "400", description = "the limit is no number from 1 to 200"),
                @ApiResponse(responseCode = "404", description = "there is no firewall of that id")
            })
    public JsonNode log(
            @PathParam("id") String id,
            @Parameter(description = "at most so many lines, 1 to 200; 50 if it is left out") @QueryParam("limit")
                    String limit) {
        return news.log(id, limit(limit));
    }

    /** @throws ProblemException if the text is no number of lines */
    static int limit(@Nullable String text) {
        if (text == null) {
            return USUAL;
        }
        int lines = text.matches("[0-9]{1,4}") ? Integer.parseInt(text) : 0;
        if (lines < 1 || lines > LogBook.MOST_LINES) {
            throw new ProblemException(new Problem(
                    Problem.Code.INVALID,
                    "/limit",
                    "\"" + Fields.shorten(text) + "\" is no number from 1 to " + LogBook.MOST_LINES,
                    "no more lines are kept"));
        }
        return lines;
    }
}
