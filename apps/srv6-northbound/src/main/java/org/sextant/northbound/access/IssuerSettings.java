// SPDX-License-Identifier: Apache-2.0
package org.sextant.northbound.access;

import java.net.InetAddress;
import java.net.URI;
import java.net.UnknownHostException;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.EnumMap;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import org.sextant.core.access.Role;

/**
 * Whose tokens are taken, as etc/org.sextant.oidc.cfg says.
 *
 * @param issuer exactly as its tokens say it
 * @param audience the audience that they must have
 * @param userClaim the claim with the name of the user
 * @param roleClaim where roles stand; points lead into objects, as in realm_access.roles
 * @param values the value in that claim for each role
 * @param skewSeconds how far its clock may be from ours
 * @param authorities PEM file of the authorities of its certificate; empty: those that Java trusts
 * @param client the controller's settings as its client, if people log in at its page
 */
record IssuerSettings(
        URI issuer,
        String audience,
        String userClaim,
        String roleClaim,
        Map<Role, Set<String>> values,
        int skewSeconds,
        Optional<Path> authorities,
        Optional<ClientSettings> client) {
    private static final int MOST_SKEW_SECONDS = 600;

    /**
     * Empty if no issuer is named.
     *
     * @throws IllegalArgumentException naming the key, the value and the expected form
     */
    static Optional<IssuerSettings> of(Map<String, ?> values) {
        return text(values, "issuer")
                .map(issuer -> new IssuerSettings(
                        address("issuer", issuer),
                        text(values, "audience")
                                .orElseThrow(
                                        () -> wrong("audience", "", "is missing; say what tokens must be meant for")),
                        text(values, "claim.user").orElse("sub"),
                        text(values, "claim.roles").orElse("roles"),
                        roles(values),
                        skew(text(values, "skew.seconds").orElse("60")),
                        text(values, "tls.ca").map(Path::of),
                        ClientSettings.of(values)));
    }

    /** Where secrets are safe on the way. */
    static URI address(String key, String text) {
        URI uri;
        try {
            uri = URI.create(text);
        } catch (IllegalArgumentException e) {
            throw wrong(key, text, "is no address");
        }
        String host = uri.getHost();
        if (host == null || !("https".equals(uri.getScheme()) || "http".equals(uri.getScheme()) && isLoopback(host))) {
            throw wrong(key, text, "is no https address (http only on loopback)");
        }
        return uri;
    }

    private static boolean isLoopback(String host) {
        try {
            return host.equals("localhost")
                    || host.matches("[\\[\\]0-9a-fA-F:.]+")
                            && InetAddress.getByName(host).isLoopbackAddress();
        } catch (UnknownHostException e) {
            return false;
        }
    }

    /** Without a word of the operator's, a role is called in tokens as here. */
    private static Map<Role, Set<String>> roles(Map<String, ?> values) {
        Map<Role, Set<String>> named = new EnumMap<>(Role.class);
        for (Role role : Role.values()) {
            Set<String> meant = Arrays.stream(text(values, "role." + role.word())
                            .orElse(role.word())
                            .split(","))
                    .map(String::trim)
                    .filter(value -> !value.isEmpty())
                    .collect(Collectors.toSet());
            named.put(role, meant);
        }
        for (String key : values.keySet()) {
            if (key.startsWith("role.")
                    && Role.named(key.substring("role.".length())).isEmpty()) {
                throw wrong(
                        key,
                        String.valueOf(values.get(key)),
                        "names no role; they are viewer, operator, security, admin");
            }
        }
        return named;
    }

    private static int skew(String seconds) {
        if (!seconds.matches("[0-9]{1,3}") || Integer.parseInt(seconds) > MOST_SKEW_SECONDS) {
            throw wrong("skew.seconds", seconds, "is not a number from 0 to " + MOST_SKEW_SECONDS);
        }
        return Integer.parseInt(seconds);
    }

    static Optional<String> text(Map<String, ?> values, String key) {
        return Optional.ofNullable(values.get(key))
                .map(value -> value.toString().trim())
                .filter(value -> !value.isEmpty());
    }

    static IllegalArgumentException wrong(String key, String value, String what) {
        return new IllegalArgumentException("org.sextant.oidc.cfg: " + key + " = " + value + " " + what);
    }
}
