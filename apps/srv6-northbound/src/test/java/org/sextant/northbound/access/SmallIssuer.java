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
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.Date;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Supplier;

/** An OpenID Connect issuer with what a controller asks of one: its description and its keys. */
final class SmallIssuer implements AutoCloseable {
    final AtomicInteger keyFetches = new AtomicInteger();
    private final HttpServer server;
    private RSAKey key;
    String called;

    SmallIssuer() throws IOException, JOSEException {
        key = key("first");
        server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        called = url();
        serve(
                "/.well-known/openid-configuration",
                () -> "{\"issuer\":\"" + called + "\",\"jwks_uri\":\"" + url() + "/keys\"}");
        serve("/keys", () -> {
            keyFetches.incrementAndGet();
            return new JWKSet(List.of(key.toPublicJWK())).toString();
        });
        server.start();
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

    String url() {
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
