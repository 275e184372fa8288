// SPDX-License-Identifier: Apache-2.0
package org.sextant.northbound.access;

import java.io.IOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.LinkedHashSet;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * The controller as a client of the issuer, at whose page people log in.
 *
 * @param id as registered there
 * @param secretFile whose text is the client's secret; empty for a public client, which has PKCE alone
 * @param redirect where the issuer sends people back: our own address as browsers see it, ending with {@link #CALLBACK}
 * @param scopes the requested scopes; openid is among them
 */
record ClientSettings(String id, Optional<Path> secretFile, URI redirect, Set<String> scopes) {
    static final String CALLBACK = "/srv6/login/oidc/callback";
    private static final int LONGEST_SECRET = 4_096;

    /**
     * Empty if there is no client id: then people log in with passwords.
     *
     * @throws IllegalArgumentException naming the key, the value and the expected form
     */
    static Optional<ClientSettings> of(Map<String, ?> values) {
        return IssuerSettings.text(values, "client.id")
                .map(id -> new ClientSettings(
                        id,
                        IssuerSettings.text(values, "client.secret.file").map(Path::of),
                        redirect(IssuerSettings.text(values, "redirect.uri").orElse("")),
                        scopes(IssuerSettings.text(values, "scopes").orElse("openid"))));
    }

    private static URI redirect(String text) {
        URI uri = IssuerSettings.address("redirect.uri", text);
        if (!uri.getPath().endsWith(CALLBACK) || uri.getQuery() != null || uri.getFragment() != null) {
            throw IssuerSettings.wrong("redirect.uri", text, "does not end with " + CALLBACK);
        }
        return uri;
    }

    private static Set<String> scopes(String text) {
        Set<String> scopes = new LinkedHashSet<>(Arrays.asList(text.trim().split("[ ,]+")));
        if (!scopes.contains("openid")) {
            throw IssuerSettings.wrong(
                    "scopes", text, "lacks openid, without which the issuer does not identify the user");
        }
        return scopes;
    }

    /** The map, where people end. */
    URI map() {
        return URI.create(redirect.toString().replaceAll("/login/oidc/callback$", "/ui/"));
    }

    /** True if browsers are to send their cookies by HTTPS only. */
    boolean encrypted() {
        return "https".equals(redirect.getScheme());
    }

    /** Read whenever it is used, so that it is changed by changing the file. */
    Optional<String> secret() throws IOException {
        if (secretFile.isEmpty()) {
            return Optional.empty();
        }
        Path file = secretFile.get();
        String secret;
        try {
            secret = Files.size(file) > LONGEST_SECRET
                    ? ""
                    : Files.readString(file).trim();
        } catch (IOException e) {
            throw new IOException("client.secret.file of etc/org.sextant.oidc.cfg cannot be read", e);
        }
        if (secret.isEmpty()) {
            throw new IOException("client.secret.file of etc/org.sextant.oidc.cfg is empty, or longer than "
                    + LONGEST_SECRET + " bytes");
        }
        return Optional.of(secret);
    }
}
