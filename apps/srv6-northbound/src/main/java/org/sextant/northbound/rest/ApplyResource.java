// SPDX-License-Identifier: Apache-2.0
package org.sextant.northbound.rest;

import io.swagger.v3.oas.annotations.Operation;
import io.swagger.v3.oas.annotations.Parameter;
import io.swagger.v3.oas.annotations.media.ArraySchema;
import io.swagger.v3.oas.annotations.media.Content;
import io.swagger.v3.oas.annotations.media.Schema;
import io.swagger.v3.oas.annotations.parameters.RequestBody;
import io.swagger.v3.oas.annotations.responses.ApiResponse;
import java.io.IOException;
import java.io.InputStream;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import javax.annotation.security.RolesAllowed;
import javax.ws.rs.Consumes;
import javax.ws.rs.DefaultValue;
import javax.ws.rs.ForbiddenException;
import javax.ws.rs.POST;
import javax.ws.rs.Path;
import javax.ws.rs.Produces;
import javax.ws.rs.QueryParam;
import javax.ws.rs.core.Configuration;
import javax.ws.rs.core.Context;
import javax.ws.rs.core.MediaType;
import javax.ws.rs.core.Response;
import javax.ws.rs.core.SecurityContext;
import org.jspecify.annotations.Nullable;
import org.osgi.framework.BundleContext;
import org.osgi.service.component.annotations.Activate;
import org.osgi.service.component.annotations.Component;
import org.osgi.service.component.annotations.Reference;
import org.osgi.service.component.annotations.ReferenceCardinality;
import org.osgi.service.component.annotations.ReferencePolicy;
import org.sextant.core.access.Role;
import org.sextant.core.intent.Intents;
import org.sextant.core.rest.RestResource;
import org.sextant.kit.app.SrApp;
import org.sextant.northbound.access.Permissions;
import org.sextant.northbound.access.RoleCheck;
import org.sextant.northbound.answer.JsonAnswer;
import org.sextant.northbound.apply.ApplyResult;
import org.sextant.northbound.apply.DocumentAdmission;
import org.sextant.northbound.apply.DocumentList;

/** Lists of documents of any kinds: the difference to the stored intents, and their admission as one plan. */
@Component(service = RestResource.class)
@Path("apply")
@Produces(MediaType.APPLICATION_JSON)
public class ApplyResource implements RestResource {
    @Reference
    protected Intents engine;

    private final Set<SrApp<?>> apps = ConcurrentHashMap.newKeySet();
    private @Nullable BundleContext bundles;

    @Activate
    protected void activate(BundleContext context) {
        bundles = context;
    }

    @Reference(cardinality = ReferenceCardinality.MULTIPLE, policy = ReferencePolicy.DYNAMIC)
    protected void addApp(SrApp<?> app) {
        apps.add(app);
    }

    protected void removeApp(SrApp<?> app) {
        apps.remove(app);
    }

    @POST
    @RolesAllowed("viewer") // the documents decide: each kind has its own role
    @Consumes(MediaType.APPLICATION_JSON)
    @Operation(
            operationId = "apply",
            summary = "Installs documents of any kinds as one plan, or reports what they would change",
            description =
                    "All documents are admitted or none. A document with the kind and name of a stored intent replaces it if"
                            + " it differs; intents that the list does not name stay as they are. With dryRun nothing"
                            + " changes, and the answer is the same without states.",
            tags = "apply",
            requestBody =
                    @RequestBody(
                            required = true,
                            description = "10,000 documents and 64 MiB at most",
                            content =
                                    @Content(
                                            array =
                                                    @ArraySchema(
                                                            schema = @Schema(ref = "#/components/schemas/Document")))),
            responses = {
                @ApiResponse(
                        responseCode = "200",
                        description =
                                "everything is installed, or was before; with dryRun: the documents are admissible",
                        content = @Content(schema = @Schema(ref = "#/components/schemas/ApplyResult"))),
                @ApiResponse(
                        responseCode = "202",
                        description = "stored, but not all is installed by now: state names what is not",
                        content = @Content(schema = @Schema(ref = "#/components/schemas/ApplyResult"))),
                @ApiResponse(responseCode = "400", description = "a document is not valid; nothing changed"),
                @ApiResponse(
                        responseCode = "403",
                        description = "the user may not change intents of a kind in the list; nothing changed"),
                @ApiResponse(
                        responseCode = "409",
                        description = "another intent owns what a document asks for; nothing changed"),
                @ApiResponse(
                        responseCode = "422",
                        description =
                                "a document names what is not there, or this network cannot do it; nothing changed"),
                @ApiResponse(
                        responseCode = "503",
                        description = "the controller is starting: the app of a kind is not there yet")
            })
    public Response apply(
            InputStream body,
            @Parameter(description = "report the changes without making them")
                    @QueryParam("dryRun")
                    @DefaultValue("false")
                    boolean dryRun,
            @Parameter(hidden = true) @Context SecurityContext security,
            @Parameter(hidden = true) @Context Configuration application)
            throws IOException {
        Permissions permissions = (Permissions) application.getProperty(Permissions.class.getName());
        Set<Role> roles = RoleCheck.roles(security);
        if (permissions.changeable(roles).isEmpty() && !Role.ADMIN.coveredBy(roles)) {
            throw new ForbiddenException("POST of apply needs a role that may change intents; " + RoleCheck.has(roles));
        }
        DocumentAdmission list = new DocumentAdmission(
                engine, DocumentList.read(apps, body, new ApplyGate(permissions, roles, this::announced)));
        ApplyResult result = dryRun ? list.dryRun() : list.submit();
        return Response.status(result.code())
                .entity(new JsonAnswer(result::write))
                .build();
    }

    /** The kinds of all bundles that are to run. */
    private Set<String> announced() {
        return bundles == null ? Set.of() : AnnouncedKinds.of(bundles);
    }
}
