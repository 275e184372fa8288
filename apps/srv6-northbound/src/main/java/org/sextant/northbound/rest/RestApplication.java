// SPDX-License-Identifier: Apache-2.0
package org.sextant.northbound.rest;

import java.util.Set;
import org.glassfish.jersey.server.ResourceConfig;
import org.glassfish.jersey.server.ServerProperties;
import org.glassfish.jersey.server.filter.RolesAllowedDynamicFeature;

/** What Jersey is to serve: resources, and what all of them share. */
final class RestApplication {
    private RestApplication() {}

    static ResourceConfig of(Set<Object> resources) {
        ResourceConfig config = new ResourceConfig();
        config.property(ServerProperties.WADL_FEATURE_DISABLE, true);
        config.property(ServerProperties.BV_FEATURE_DISABLE, true);
        // Error bodies are ours (problem+json), not the web container's HTML page.
        config.property(ServerProperties.RESPONSE_SET_STATUS_OVER_SEND_ERROR, true);
        config.register(JsonBodyWriter.class);
        config.register(ProblemMapper.class);
        config.register(RolesAllowedDynamicFeature.class);
        config.register(NoContentType.class);
        config.register(QueryCheck.class);
        config.register(ResponseHeaders.class);
        for (Object resource : resources) {
            if (resource instanceof AppResource<?> app) {
                config.registerResources(app.model());
            } else {
                config.register(resource);
            }
        }
        return config;
    }
}
