// SPDX-License-Identifier: Apache-2.0
package org.sextant.northbound.access;

import com.nimbusds.jose.JOSEException;
import com.nimbusds.jose.JWSAlgorithm;
import com.nimbusds.jose.JWSHeader;
import com.nimbusds.jose.crypto.RSASSASigner;
import com.nimbusds.jose.jwk.JWKSet;
import com.nimbusds.jose.jwk.RSAKey;
import com.nimbusds.jose.jwk.gen.RSAKeyGenerator;
import com.nimbusds.jwt.JWTClaimsSet;
import com.nimbusds.jwt.SignedJWT;
import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.net.URLDecoder;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.time.Instant;
import java.util.Base64;
import java.util.Date;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Supplier;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/**
 * An OpenID Connect issuer with the parts that a controller needs: its description, its keys, and a token for a code.
 */
public final class SmallIssuer implements AutoCloseable {
    /** As the controller is known here. */
    public static final String CLIENT = "sextant-map";

    /** With a character that basic authentication must encode. */
    public static final String SECRET = "s:cret+%";

    final AtomicInteger keyFetches = new AtomicInteger();

    /** The faults of its next tokens. */
    public UnaryOperator<JWTClaimsSet.Builder> twist = claims -> claims;

    /** Its answer for a code, if not a token; bytes that come one by one, a moment apart, if slow. */
    public @Nullable String instead;

    public boolean slow;
    public Instant now = Instant.parse("2026-11-23T03:00:00Z");
    private final Map<String, Map<String, String>> codes = new HashMap<>();
    private final HttpServer server;
    private RSAKey key;
    String called;

    public SmallIssuer() throws IOException, JOSEException {
        key = key("first");
        server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        called = url();
        serve(
                "/.well-known/openid-configuration",
                () -> "{\"issuer\":\"" + called + "\",\"jwks_uri\":\"" + url()
                        + "/keys\",\"authorization_endpoint\":\"" + url() + "/authorize\",\"token_endpoint\":\"" + url()
                        + "/token\",\"end_session_endpoint\":\"" + url() + "/logout\"}");
        serve("/keys", () -> {
            keyFetches.incrementAndGet();
            return new JWKSet(List.of(key.toPublicJWK())).toString();
        });
        server.createContext("/token", this::token);
        server.setExecutor(Executors.newCachedThreadPool());
        server.start();
    }

    /** A user agreed at the page of this address; the parameters with which the browser is sent back. */
    public String agreed(URI page) {
        String code = "code" + codes.size();
        codes.put(code, parameters(page.getRawQuery()));
        return code;
    }

    /** The parameters of an address or a form. */
    public static Map<String, String> parameters(String text) {
        Map<String, String> values = new HashMap<>();
        for (String pair : text.split("&")) {
            int at = pair.indexOf('=');
            values.put(pair.substring(0, at), URLDecoder.decode(pair.substring(at + 1), StandardCharsets.UTF_8));
        }
        return values;
    }

    /** RFC 6749, section 4.1.3, and RFC 7636, section 4.6: a code counts once, for its own client. */
    private void token(HttpExchange exchange) throws IOException {
        Map<String, String> form =
                parameters(new String(exchange.getRequestBody().readAllBytes(), StandardCharsets.UTF_8));
        Map<String, String> asked = codes.remove(form.get("code"));
        String login = Base64.getEncoder()
                .encodeToString((CLIENT + ":" + URLEncoder.encode(SECRET, StandardCharsets.UTF_8))
                        .getBytes(StandardCharsets.UTF_8));
        if (!("Basic " + login).equals(exchange.getRequestHeaders().getFirst("Authorization"))) {
            answer(exchange, 401, "{\"error\":\"invalid_client\"}");
        } else if (asked == null
                || !asked.get("redirect_uri").equals(form.get("redirect_uri"))
                || !asked.get("code_challenge_method").equals("S256")
                || !asked.get("code_challenge").equals(sha256(form.get("code_verifier")))) {
            answer(exchange, 400, "{\"error\":\"invalid_grant\"}");
        } else if (instead != null) {
            answer(exchange, 200, instead);
        } else {
            JWTClaimsSet.Builder claims = claims(now).audience(CLIENT).claim("nonce", asked.get("nonce"));
            answer(
                    exchange,
                    200,
                    "{\"id_token\":\"" + signed(twist.apply(claims).build()) + "\"}");
        }
    }

    private void answer(HttpExchange exchange, int status, String text) throws IOException {
        byte[] body = text.getBytes(StandardCharsets.UTF_8);
        exchange.sendResponseHeaders(status, body.length);
        for (int i = 0; i < body.length; i += slow ? 1 : body.length) {
            exchange.getResponseBody().write(body, i, slow ? 1 : body.length);
            if (slow) {
                exchange.getResponseBody().flush();
                LockSupport.parkNanos(50_000_000);
            }
        }
        exchange.close();
    }

    private static String sha256(String text) {
        try {
            return Base64.getUrlEncoder()
                    .withoutPadding()
                    .encodeToString(
                            MessageDigest.getInstance("SHA-256").digest(text.getBytes(StandardCharsets.US_ASCII)));
        } catch (NoSuchAlgorithmException e) {
            throw new AssertionError(e);
        }
    }

    private void serve(String path, Supplier<String> answer) {
        server.createContext(path, exchange -> {
            byte[] body = answer.get().getBytes(StandardCharsets.UTF_8);
            exchange.getResponseHeaders().set("Content-Type", "application/json");
            exchange.sendResponseHeaders(200, body.length);
            exchange.getResponseBody().write(body);
            exchange.close();
        });
    }

    public String url() {
        return "http://127.0.0.1:" + server.getAddress().getPort();
    }

    static RSAKey key(String id) throws JOSEException {
        return new RSAKeyGenerator(2048).keyID(id).generate();
    }

    /** Signs with another key from now on. */
    void rotate(String id) throws JOSEException {
        key = key(id);
    }

    /** Claims of a token that is fine. */
    JWTClaimsSet.Builder claims(Instant now) {
        return new JWTClaimsSet.Builder()
                .issuer(url())
                .audience("sextant")
                .subject("alice")
                .issueTime(Date.from(now))
                .expirationTime(Date.from(now.plusSeconds(300)))
                .claim("roles", List.of("operator"));
    }

    String signed(JWTClaimsSet claims) {
        return signed(claims, key);
    }

    static String signed(JWTClaimsSet claims, RSAKey by) {
        try {
            SignedJWT token = new SignedJWT(
                    new JWSHeader.Builder(JWSAlgorithm.RS256)
                            .keyID(by.getKeyID())
                            .build(),
                    claims);
            token.sign(new RSASSASigner(by));
            return token.serialize();
        } catch (JOSEException e) {
            throw new AssertionError(e);
        }
    }

    /** The keys that it shows. */
    RSAKey shown() {
        return key.toPublicJWK();
    }

    @Override
    public void close() {
        server.stop(0);
    }
}
