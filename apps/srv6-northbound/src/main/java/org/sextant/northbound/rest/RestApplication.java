// SPDX-License-Identifier: Apache-2.0
package org.sextant.northbound.rest;

import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import org.glassfish.jersey.server.ResourceConfig;
import org.glassfish.jersey.server.ServerProperties;
import org.glassfish.jersey.server.model.Resource;
import org.sextant.core.access.Role;
import org.sextant.northbound.access.Permissions;
import org.sextant.northbound.access.RoleCheck;

/** The classes and objects for Jersey: resources, and their common parts. */
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
        Permissions permissions = permissions(resources);
        config.property(Permissions.class.getName(), permissions);
        config.register(new RoleCheck(permissions));
        config.register(NoContentType.class);
        config.register(QueryCheck.class);
        config.register(EntityTags.class);
        config.register(ResponseHeaders.class);
        for (Object resource : resources) {
            config.registerResources(resource instanceof AppResource<?> app ? app.model() : model(resource));
        }
        return config;
    }

    /** The annotated methods of an object. Jersey takes an object that is registered as it is for a provider, too, and warns of it. */
    private static Resource model(Object resource) {
        return handledBy(resource, Resource.from(resource.getClass()));
    }

    private static Resource handledBy(Object resource, Resource annotated) {
        Resource.Builder model = Resource.builder(annotated.getPath());
        annotated
                .getResourceMethods()
                .forEach(method -> model.addMethod(method)
                        .handledBy(resource, method.getInvocable().getHandlingMethod()));
        annotated.getChildResources().forEach(child -> model.addChildResource(handledBy(resource, child)));
        return model.build();
    }

    /** If an app is below another one, that one counts: its address is the first word of theirs. */
    private static Permissions permissions(Set<Object> resources) {
        Map<String, Role> changedBy = new TreeMap<>();
        for (Object resource : resources) {
            if (resource instanceof AppResource<?> app) {
                changedBy.merge(Permissions.first(app.path()), app.changedBy(), RestApplication::stricter);
            }
        }
        return new Permissions(changedBy);
    }

    private static Role stricter(Role one, Role other) {
        return one == other ? one : Role.ADMIN;
    }
}
