// SPDX-License-Identifier: Apache-2.0
package org.sextant.northbound.access;

import com.nimbusds.jose.util.JSONObjectUtils;
import java.io.IOException;
import java.net.URI;
import java.text.ParseException;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * An issuer's own description (OpenID Connect Discovery 1.0, section 3), as far as it is used here.
 *
 * @param keys where its keys are
 * @param authorize where people log in; empty if it has no such page
 * @param token where codes become tokens
 * @param endSession where they log out (RP-Initiated Logout 1.0)
 * @param secretInBody true if it takes a client's secret in the body only
 * @param namesItself true if it names itself when it sends people back (RFC 9207)
 */
record IssuerDescription(
        URI keys,
        Optional<URI> authorize,
        Optional<URI> token,
        Optional<URI> endSession,
        boolean secretInBody,
        boolean namesItself) {

    /** @throws IOException if it cannot be read, or is another issuer's */
    static IssuerDescription fetch(IssuerWeb web, URI issuer) throws IOException {
        String address = issuer.toString().replaceAll("/$", "") + "/.well-known/openid-configuration";
        return read(web.retrieveResource(URI.create(address).toURL()).getContent(), issuer);
    }

    private static IssuerDescription read(String json, URI issuer) throws IOException {
        try {
            Map<String, Object> found = JSONObjectUtils.parse(json);
            if (!issuer.toString().equals(found.get("issuer"))) {
                throw new IOException("it calls itself " + found.get("issuer")
                        + "; etc/org.sextant.oidc.cfg must name it as it does");
            }
            return new IssuerDescription(
                    address(found, "jwks_uri").orElseThrow(() -> new IOException("it does not say where its keys are")),
                    address(found, "authorization_endpoint"),
                    address(found, "token_endpoint"),
                    address(found, "end_session_endpoint"),
                    inBodyOnly(JSONObjectUtils.getStringList(found, "token_endpoint_auth_methods_supported")),
                    Boolean.TRUE.equals(found.get("authorization_response_iss_parameter_supported")));
        } catch (ParseException e) {
            throw new IOException("its description makes no sense: " + e.getMessage(), e);
        }
    }

    private static boolean inBodyOnly(@Nullable List<String> methods) {
        return methods != null && methods.contains("client_secret_post") && !methods.contains("client_secret_basic");
    }

    /** Secrets go there, so it is held to the same as the issuer's own address. */
    private static Optional<URI> address(Map<String, Object> found, String key) throws IOException {
        if (!(found.get(key) instanceof String text)) {
            return Optional.empty();
        }
        try {
            return Optional.of(IssuerSettings.address(key, text));
        } catch (IllegalArgumentException e) {
            throw new IOException("its " + key + " " + text + " is no https address", e);
        }
    }
}
