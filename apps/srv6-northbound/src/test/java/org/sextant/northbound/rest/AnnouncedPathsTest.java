// SPDX-License-Identifier: Apache-2.0
package org.sextant.northbound.rest;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.reflect.Proxy;
import java.net.MalformedURLException;
import java.net.URL;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.DisplayNameGeneration;
import org.junit.jupiter.api.DisplayNameGenerator.ReplaceUnderscores;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.osgi.framework.Bundle;

/** After a restart the first GET of a policy was a 404 for a moment, as if there were no such policy. */
@DisplayNameGeneration(ReplaceUnderscores.class)
class AnnouncedPathsTest {
    @TempDir
    Path folder;

    @javax.ws.rs.Path("policies")
    private static final class Policies {}

    @Test
    void what_a_bundle_announces_and_no_resource_serves_yet_is_missing() throws IOException {
        AnnouncedPaths announced = new AnnouncedPaths();
        Bundle app = bundle("{\"paths\":{\"/policies\":{},\"/policies/{id}\":{}}}");
        Bundle other = bundle(null);
        assertThat(announced.missing("/policies/gold", Stream.of(other, app), List.of()))
                .isTrue();
        assertThat(announced.missing("/policies", Stream.of(app), List.of(new Policies())))
                .isFalse();
        assertThat(announced.missing("/polices", Stream.of(other, app), List.of()))
                .isFalse();
        assertThat(announced.missing("/", Stream.of(other, app), List.of())).isFalse();
    }

    /** A bundle with this fragment, or none. */
    private Bundle bundle(String fragment) throws IOException {
        Path file = folder.resolve("openapi.json");
        if (fragment != null) {
            Files.writeString(file, fragment);
        }
        return (Bundle) Proxy.newProxyInstance(
                Bundle.class.getClassLoader(),
                new Class<?>[] {Bundle.class},
                (proxy, method, arguments) -> switch (method.getName()) {
                    case "getEntry" -> fragment == null ? null : url(file);
                    case "hashCode" -> System.identityHashCode(proxy);
                    case "equals" -> proxy == arguments[0];
                    default -> throw new UnsupportedOperationException(method.getName());
                });
    }

    private static URL url(Path file) {
        try {
            return file.toUri().toURL();
        } catch (MalformedURLException e) {
            throw new UncheckedIOException(e);
        }
    }
}
