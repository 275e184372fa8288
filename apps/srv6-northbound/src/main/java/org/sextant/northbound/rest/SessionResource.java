// SPDX-License-Identifier: Apache-2.0
package org.sextant.northbound.rest;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.swagger.v3.oas.annotations.Operation;
import io.swagger.v3.oas.annotations.Parameter;
import io.swagger.v3.oas.annotations.media.Content;
import io.swagger.v3.oas.annotations.media.Schema;
import io.swagger.v3.oas.annotations.responses.ApiResponse;
import java.util.List;
import javax.ws.rs.ForbiddenException;
import javax.ws.rs.GET;
import javax.ws.rs.Path;
import javax.ws.rs.Produces;
import javax.ws.rs.core.Configuration;
import javax.ws.rs.core.Context;
import javax.ws.rs.core.MediaType;
import javax.ws.rs.core.SecurityContext;
import org.osgi.service.component.annotations.Component;
import org.sextant.core.access.Role;
import org.sextant.core.rest.RestResource;
import org.sextant.northbound.access.Caller;
import org.sextant.northbound.access.Permissions;

/** The caller and its roles: a client finds out whether to offer writing without trying it. */
@Component(service = RestResource.class)
@Path("session")
@Produces(MediaType.APPLICATION_JSON)
public class SessionResource implements RestResource {
    @GET
    @Operation(
            operationId = "getLogin",
            summary = "The user of this request, its roles, and what it may change",
            tags = "controller",
            responses = {
                @ApiResponse(
                        responseCode = "200",
                        description = "the user",
                        content = @Content(schema = @Schema(ref = "#/components/schemas/Login")))
            })
    public JsonNode get(
            @Parameter(hidden = true) @Context SecurityContext security,
            @Parameter(hidden = true) @Context Configuration application) {
        Caller caller = Caller.of(security).orElseThrow(ForbiddenException::new);
        Permissions permissions = (Permissions) application.getProperty(Permissions.class.getName());
        List<String> changeable = permissions.changeable(caller.roles());
        ObjectNode view = JsonNodeFactory.instance
                .objectNode()
                .put("user", caller.name())
                .put("how", caller.how().word())
                .put("mayWrite", !changeable.isEmpty() || caller.may(Role.ADMIN));
        ArrayNode roles = view.putArray("roles");
        caller.roles().stream().sorted().map(Role::word).forEach(roles::add);
        ArrayNode mayChange = view.putArray("mayChange");
        changeable.forEach(mayChange::add);
        return view;
    }
}
