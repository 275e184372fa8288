// SPDX-License-Identifier: Apache-2.0
package org.sextant.northbound.rest;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.swagger.v3.oas.annotations.Operation;
import io.swagger.v3.oas.annotations.media.Content;
import io.swagger.v3.oas.annotations.media.Schema;
import io.swagger.v3.oas.annotations.responses.ApiResponse;
import java.util.Optional;
import javax.ws.rs.GET;
import javax.ws.rs.Path;
import javax.ws.rs.Produces;
import javax.ws.rs.core.MediaType;
import org.osgi.framework.Bundle;
import org.osgi.framework.BundleContext;
import org.osgi.service.component.annotations.Activate;
import org.osgi.service.component.annotations.Component;
import org.sextant.core.rest.RestResource;

/** The version of this controller and of its REST interface. */
@Component(service = RestResource.class)
@Path("version")
@Produces(MediaType.APPLICATION_JSON)
public class VersionResource implements RestResource {
    /** The version of the REST interface, as the OpenAPI has it. */
    static final String API = "1";

    /** The header of the bundle that the build writes. */
    private static final String COMMIT = "Sextant-Commit";

    private String version = "";
    private Optional<String> commit = Optional.empty();

    @Activate
    protected void activate(BundleContext context) {
        Bundle bundle = context.getBundle();
        version = bundle.getVersion().toString();
        commit = Optional.ofNullable(bundle.getHeaders().get(COMMIT)).filter(text -> !text.isBlank());
    }

    @GET
    @Operation(
            operationId = "getVersion",
            summary = "The version of the controller and of its REST interface",
            tags = "controller",
            responses =
                    @ApiResponse(
                            responseCode = "200",
                            description = "the version",
                            content = @Content(schema = @Schema(ref = "#/components/schemas/Version"))))
    public JsonNode get() {
        ObjectNode view = JsonNodeFactory.instance.objectNode().put("version", version);
        commit.ifPresent(known -> view.put("commit", known));
        return view.put("api", API);
    }
}
