// SPDX-License-Identifier: Apache-2.0
package org.sextant.northbound.access;

import com.nimbusds.jose.util.JSONObjectUtils;
import java.io.IOException;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.text.ParseException;
import java.util.Base64;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.Semaphore;
import org.sextant.core.Reason;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Has the issuer make a token of a code (RFC 6749, section 4.1.3). A few at once: each holds one of the web container's
 * threads while the issuer is waited for, and further clients are asked to come back.
 */
final class CodeExchange {
    private static final Logger LOG = LoggerFactory.getLogger(CodeExchange.class);
    private static final int AT_ONCE = 8;

    private final URI issuer;
    private final ClientSettings client;
    private final Issuer trusted;
    private final IssuerWeb web;
    private final Semaphore room = new Semaphore(AT_ONCE);

    CodeExchange(URI issuer, ClientSettings client, Issuer trusted, IssuerWeb web) {
        this.issuer = issuer;
        this.client = client;
        this.trusted = trusted;
        this.web = web;
    }

    IssuerDescription description() throws LoginRefused {
        enter();
        try {
            return trusted.description();
        } finally {
            room.release();
        }
    }

    /** @return the identity token, not looked at yet */
    String token(String code, String verifier) throws LoginRefused {
        if (code.isEmpty()) {
            throw LoginRefused.unknown("the issuer sent no code: begin the login again");
        }
        enter();
        try {
            return token(ask(code, verifier));
        } catch (IOException e) {
            LOG.warn("issuer={} gives no token: {}", issuer, e.toString());
            throw LoginRefused.unavailable("the issuer " + issuer + " does not answer the token request ("
                    + Reason.of(e) + "); try again in a moment, or log in with a password");
        } finally {
            room.release();
        }
    }

    private void enter() throws LoginRefused {
        if (!room.tryAcquire()) {
            throw LoginRefused.unavailable(
                    "the issuer " + issuer + " is being asked for many others; try again in a moment");
        }
    }

    private IssuerWeb.Answer ask(String code, String verifier) throws LoginRefused, IOException {
        IssuerDescription description = trusted.description();
        URI address = description.token().orElseThrow(() -> new IOException("it has no token endpoint"));
        Map<String, String> form = new LinkedHashMap<>();
        form.put("grant_type", "authorization_code");
        form.put("code", code);
        form.put("redirect_uri", client.redirect().toString());
        form.put("code_verifier", verifier);
        Optional<String> secret = client.secret();
        if (secret.isPresent() && !description.secretInBody()) {
            return web.post(address, form, Optional.of(basic(client.id(), secret.get())));
        }
        form.put("client_id", client.id());
        secret.ifPresent(text -> form.put("client_secret", text));
        return web.post(address, form, Optional.empty());
    }

    /** RFC 6749, section 2.3.1: both are encoded as in forms first. */
    private static String basic(String id, String secret) {
        String pair = IssuerWeb.encoded(id) + ":" + IssuerWeb.encoded(secret);
        return "Basic " + Base64.getEncoder().encodeToString(pair.getBytes(StandardCharsets.UTF_8));
    }

    private String token(IssuerWeb.Answer answer) throws LoginRefused, IOException {
        Map<String, Object> said;
        try {
            said = JSONObjectUtils.parse(answer.text());
        } catch (ParseException e) {
            throw new IOException("its answer, of status " + answer.status() + ", is no JSON", e);
        }
        if (answer.status() != 200) {
            throw refused(answer.status(), String.valueOf(said.get("error")));
        }
        if (!(said.get("id_token") instanceof String token)) {
            throw new IOException("its answer has no id_token: is openid among the scopes?");
        }
        return token;
    }

    private LoginRefused refused(int status, String error) throws IOException {
        return switch (error) {
            case "invalid_grant" ->
                LoginRefused.unknown(
                        "the issuer does not take this code: it was used before, or is too old: begin the login again");
            case "invalid_client", "unauthorized_client" ->
                LoginRefused.unavailable(
                        "the issuer " + issuer + " does not take the controller for its client " + client.id()
                                + ": an administrator must look at client.id and client.secret.file of etc/org.sextant.oidc.cfg");
            default -> throw new IOException("it answers with " + status + " " + error);
        };
    }
}
