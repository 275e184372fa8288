// SPDX-License-Identifier: Apache-2.0
package org.sextant.northbound.rest;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URL;
import java.util.Set;
import java.util.TreeSet;
import org.osgi.framework.Bundle;
import org.osgi.framework.BundleContext;
import org.osgi.framework.startlevel.BundleStartLevel;

/** The kinds of documents that bundles announce in their OpenAPI, whether or not their apps run yet. */
final class AnnouncedKinds {
    private static final ObjectMapper MAPPER = new ObjectMapper();
    private static final String KINDS = "/components/schemas/Document/discriminator/mapping";

    private AnnouncedKinds() {}

    /** The kinds of all bundles that are started or are to be. */
    static Set<String> of(BundleContext bundles) {
        Set<String> kinds = new TreeSet<>();
        for (Bundle bundle : bundles.getBundles()) {
            URL fragment = bundle.adapt(BundleStartLevel.class).isPersistentlyStarted()
                    ? bundle.getEntry(AnnouncedPaths.FRAGMENT)
                    : null;
            if (fragment != null) {
                kinds(fragment).fieldNames().forEachRemaining(kinds::add);
            }
        }
        return kinds;
    }

    static JsonNode kinds(URL fragment) {
        try {
            return MAPPER.readTree(fragment).at(KINDS);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
