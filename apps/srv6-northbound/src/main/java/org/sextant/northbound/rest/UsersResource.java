// SPDX-License-Identifier: Apache-2.0
package org.sextant.northbound.rest;

import com.fasterxml.jackson.databind.JsonNode;
import io.swagger.v3.oas.annotations.Operation;
import io.swagger.v3.oas.annotations.media.ArraySchema;
import io.swagger.v3.oas.annotations.media.Content;
import io.swagger.v3.oas.annotations.media.Schema;
import io.swagger.v3.oas.annotations.parameters.RequestBody;
import io.swagger.v3.oas.annotations.responses.ApiResponse;
import java.io.IOException;
import java.io.InputStream;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import javax.annotation.security.RolesAllowed;
import javax.ws.rs.Consumes;
import javax.ws.rs.DELETE;
import javax.ws.rs.GET;
import javax.ws.rs.POST;
import javax.ws.rs.PUT;
import javax.ws.rs.Path;
import javax.ws.rs.PathParam;
import javax.ws.rs.Produces;
import javax.ws.rs.core.MediaType;
import javax.ws.rs.core.Response;
import org.osgi.service.component.annotations.Component;
import org.osgi.service.component.annotations.Reference;
import org.sextant.core.access.Role;
import org.sextant.core.json.BoundedJson;
import org.sextant.core.json.Fields;
import org.sextant.core.rest.RestResource;
import org.sextant.northbound.access.UserAccounts;

/** The users, where the controller keeps them itself. */
@Component(service = RestResource.class)
@Path("users")
@Produces(MediaType.APPLICATION_JSON)
@RolesAllowed("admin")
public class UsersResource implements RestResource {
    private static final BoundedJson JSON = new BoundedJson(16 << 10, 3);

    @Reference
    protected UserAccounts accounts;

    @GET
    @Operation(
            operationId = "listUsers",
            summary = "The users and what each may do",
            tags = "access",
            responses =
                    @ApiResponse(
                            responseCode = "200",
                            description = "by name",
                            content =
                                    @Content(
                                            array = @ArraySchema(schema = @Schema(ref = "#/components/schemas/User")))))
    public JsonNode list() {
        return accounts.list();
    }

    @POST
    @Consumes(MediaType.APPLICATION_JSON)
    @Operation(
            operationId = "addUser",
            summary = "Adds a user",
            description = "Without a password one is made; the answer is the only place where it ever stands.",
            tags = "access",
            requestBody =
                    @RequestBody(
                            required = true,
                            content = @Content(schema = @Schema(ref = "#/components/schemas/NewUser"))),
            responses = {
                @ApiResponse(
                        responseCode = "201",
                        description = "added",
                        content = @Content(schema = @Schema(ref = "#/components/schemas/UserAdded"))),
                @ApiResponse(responseCode = "400", description = "name, role or password are not valid"),
                @ApiResponse(responseCode = "409", description = "there is a user of this name")
            })
    public Response add(InputStream body) throws IOException {
        Fields fields = new Fields(JSON.read(body), "", new ArrayList<>());
        fields.require("name", "say how the user is called");
        fields.require("role", "say what the user may do");
        Optional<String> name = fields.text("name");
        Optional<Role> role = fields.word("role", List.of(Role.values()), Role::word);
        Optional<String> password = fields.text("password");
        fields.finishOrThrow();
        return Response.status(Response.Status.CREATED)
                .entity(accounts.add(name.orElseThrow(), role.orElseThrow(), password))
                .build();
    }

    @PUT
    @Path("{name}/password")
    @Consumes(MediaType.APPLICATION_JSON)
    @Operation(
            operationId = "changePassword",
            summary = "Gives a user another password",
            description = "Without one in the document, it is made and stands in the answer.",
            tags = "access",
            requestBody =
                    @RequestBody(
                            required = true,
                            content = @Content(schema = @Schema(ref = "#/components/schemas/NewPassword"))),
            responses = {
                @ApiResponse(
                        responseCode = "200",
                        description = "changed; the old one does not count any more",
                        content = @Content(schema = @Schema(ref = "#/components/schemas/UserAdded"))),
                @ApiResponse(responseCode = "400", description = "the password is not valid"),
                @ApiResponse(responseCode = "404", description = "there is no user of this name")
            })
    public JsonNode change(@PathParam("name") String name, InputStream body) throws IOException {
        Fields fields = new Fields(JSON.read(body), "", new ArrayList<>());
        Optional<String> password = fields.text("password");
        fields.finishOrThrow();
        return accounts.change(name, password);
    }

    @DELETE
    @Path("{name}")
    @Operation(
            operationId = "removeUser",
            summary = "Removes a user, and the user's tokens",
            tags = "access",
            responses = {
                @ApiResponse(responseCode = "204", description = "removed"),
                @ApiResponse(responseCode = "404", description = "there is no user of this name"),
                @ApiResponse(responseCode = "409", description = "it is the last administrator")
            })
    public Response remove(@PathParam("name") String name) {
        accounts.remove(name);
        return Response.noContent().build();
    }
}
