// SPDX-License-Identifier: Apache-2.0
package org.sextant.northbound.rest;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.swagger.v3.oas.annotations.Operation;
import io.swagger.v3.oas.annotations.media.Content;
import io.swagger.v3.oas.annotations.media.Schema;
import io.swagger.v3.oas.annotations.responses.ApiResponse;
import java.io.IOException;
import java.net.URL;
import java.util.ArrayList;
import java.util.List;
import javax.ws.rs.GET;
import javax.ws.rs.Path;
import javax.ws.rs.Produces;
import javax.ws.rs.core.MediaType;
import org.osgi.framework.Bundle;
import org.osgi.framework.BundleContext;
import org.osgi.framework.ServiceReference;
import org.osgi.service.component.annotations.Activate;
import org.osgi.service.component.annotations.Component;
import org.sextant.core.rest.RestResource;
import org.sextant.kit.app.SrApp;

/** The present REST interface of this controller: the fragments of all bundles that contribute, joined. */
@Component(service = RestResource.class)
@Path("openapi.json")
@Produces(MediaType.APPLICATION_JSON)
public class OpenApiResource implements RestResource {
    private final ObjectMapper mapper = new ObjectMapper();
    private BundleContext bundles;

    @Activate
    protected void activate(BundleContext context) {
        bundles = context;
    }

    @GET
    @Operation(
            operationId = "describe",
            summary = "This description, in OpenAPI 3",
            tags = "controller",
            responses =
                    @ApiResponse(
                            responseCode = "200",
                            description = "an OpenAPI 3 document",
                            content = @Content(schema = @Schema(type = "object"))))
    public JsonNode get() throws IOException {
        List<JsonNode> fragments = new ArrayList<>();
        for (Bundle bundle : bundles.getBundles()) {
            URL fragment = offersResources(bundle) ? bundle.getEntry(AnnouncedPaths.FRAGMENT) : null;
            if (fragment != null) {
                fragments.add(mapper.readTree(fragment));
            }
        }
        return OpenApi.join(fragments);
    }

    private static boolean offersResources(Bundle bundle) {
        ServiceReference<?>[] services = bundle.getRegisteredServices();
        if (services == null) {
            return false;
        }
        for (ServiceReference<?> service : services) {
            for (String name : (String[]) service.getProperty("objectClass")) {
                if (name.equals(RestResource.class.getName()) || name.equals(SrApp.class.getName())) {
                    return true;
                }
            }
        }
        return false;
    }
}
