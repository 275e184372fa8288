// SPDX-License-Identifier: Apache-2.0
package org.sextant.northbound.rest;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URL;
import java.util.Collection;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.Stream;
import javax.ws.rs.Path;
import org.osgi.framework.Bundle;
import org.sextant.northbound.access.Permissions;

/**
 * The paths that bundles announce, whether or not they serve them yet. While a controller starts, REST is up before its
 * apps are: a 404 would say of a policy that there is none.
 */
final class AnnouncedPaths {
    static final String FRAGMENT = "META-INF/sextant/openapi.json";

    private final ObjectMapper mapper = new ObjectMapper();
    private final Map<Bundle, Set<String>> byBundle = new ConcurrentHashMap<>();

    /** True if one of the bundles serves paths that begin like this one, and none of the resources does. */
    boolean missing(String path, Stream<Bundle> bundles, Collection<?> resources) {
        String first = Permissions.first(path);
        return resources.stream().noneMatch(resource -> first.equals(served(resource)))
                && bundles.anyMatch(
                        bundle -> byBundle.computeIfAbsent(bundle, this::read).contains(first));
    }

    private static String served(Object resource) {
        if (resource instanceof AppResource<?> app) {
            return Permissions.first(app.path());
        }
        Path path = resource.getClass().getAnnotation(Path.class);
        return path == null ? "" : Permissions.first(path.value());
    }

    private Set<String> read(Bundle bundle) {
        URL fragment = bundle.getEntry(FRAGMENT);
        Set<String> paths = new TreeSet<>();
        if (fragment != null) {
            try {
                JsonNode document = mapper.readTree(fragment);
                document.path("paths").fieldNames().forEachRemaining(path -> paths.add(Permissions.first(path)));
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        }
        return paths;
    }
}
