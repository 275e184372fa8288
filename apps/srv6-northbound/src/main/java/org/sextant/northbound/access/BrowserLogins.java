// SPDX-License-Identifier: Apache-2.0
package org.sextant.northbound.access;

import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.time.Duration;
import java.util.Base64;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.function.LongSupplier;

/**
 * Logins at the issuer's page: the authorization code flow (OpenID Connect Core 1.0, section 3.1) with PKCE (RFC 7636,
 * S256), state and nonce. The controller asks the issuer for the token and looks at it; the browser gets a word that
 * means a session here.
 *
 * <p>A login that has begun leaves no state here: the browser has a sealed text, from which state, nonce and verifier
 * follow by a key that only this process has.
 */
public final class BrowserLogins {
    static final Duration PATIENCE = Duration.ofMinutes(10);
    private static final String BEGUN = "begun";
    private static final String TOLD = "told";
    private static final String AGAIN = ": begin it again";

    private final URI issuer;
    private final ClientSettings client;
    private final Issuer trusted;
    private final CodeExchange exchange;
    private final BrowserSessions sessions;
    private final LongSupplier nanos;
    private final Seal seal = new Seal();

    /** @param nanos a monotonic clock */
    BrowserLogins(
            URI issuer,
            ClientSettings client,
            Issuer trusted,
            CodeExchange exchange,
            BrowserSessions sessions,
            LongSupplier nanos) {
        this.issuer = issuer;
        this.client = client;
        this.trusted = trusted;
        this.exchange = exchange;
        this.sessions = sessions;
        this.nanos = nanos;
    }

    /**
     * A login that has begun.
     *
     * @param to the issuer's page
     * @param kept the text that the browser is to bring back
     */
    public record Begun(URI to, String kept) {}

    /**
     * A login that succeeded.
     *
     * @param word the word that the browser is to show from now on
     */
    public record In(Caller caller, String word) {}

    /**
     * The parameters with which the issuer sends browsers back (RFC 6749, sections 4.1.2 and 4.1.2.1; RFC 9207); "" for
     * an absent one.
     */
    public record Back(String state, String code, String error, String issuer) {}

    public URI issuer() {
        return issuer;
    }

    /** Where people end, in or not. */
    public URI map() {
        return client.map();
    }

    /** Our addresses' beginning as browsers see it, such as /srv6. */
    public String path() {
        return client.redirect().getPath().replaceAll("/login/oidc/callback$", "");
    }

    /** True if browsers are to send their cookies by HTTPS only. */
    public boolean encrypted() {
        return client.encrypted();
    }

    /** @throws LoginRefused if the issuer cannot be asked where its page is */
    public Begun begin() throws LoginRefused {
        URI page = exchange.description()
                .authorize()
                .orElseThrow(() -> LoginRefused.unavailable("the issuer " + issuer + " has no page to log in at"));
        String text = seal.word() + " " + nanos.getAsLong();
        Map<String, String> asked = new LinkedHashMap<>();
        asked.put("response_type", "code");
        asked.put("client_id", client.id());
        asked.put("redirect_uri", client.redirect().toString());
        asked.put("scope", String.join(" ", client.scopes()));
        asked.put("state", seal.derived("state", text));
        asked.put("nonce", seal.derived("nonce", text));
        asked.put("code_challenge", challenge(seal.derived("verifier", text)));
        asked.put("code_challenge_method", "S256");
        return new Begun(with(page, asked), seal.closed(BEGUN, text));
    }

    /**
     * A browser comes back from the issuer's page.
     *
     * @param kept the text kept by the browser with a sentence for the user
     * @throws LoginRefused with a sentence for the person
     */
    public In finish(Back back, String kept, String address) throws LoginRefused {
        String text = seal.open(BEGUN, kept)
                .orElseThrow(() -> LoginRefused.unknown(
                        "this login was not begun in this browser, or before the controller was started anew" + AGAIN));
        long begun = Long.parseLong(text.substring(text.indexOf(' ') + 1));
        if (nanos.getAsLong() - begun > PATIENCE.toNanos()) {
            throw LoginRefused.unknown(
                    "this login was begun more than " + PATIENCE.toMinutes() + " minutes ago" + AGAIN);
        }
        if (!Seal.same(seal.derived("state", text), back.state())) {
            throw LoginRefused.unknown("the issuer's answer belongs to another login (state)" + AGAIN);
        }
        if (back.issuer().isEmpty()
                ? exchange.description().namesItself()
                : !back.issuer().equals(issuer.toString())) {
            throw LoginRefused.unknown("the answer is of another issuer than " + issuer + " (iss)");
        }
        if (!back.error().isEmpty()) {
            throw denied(back.error());
        }
        String token = exchange.token(back.code(), seal.derived("verifier", text));
        Caller caller = trusted.identity(token, client, seal.derived("nonce", text), address);
        if (caller.roles().isEmpty()) {
            throw LoginRefused.forbidden(
                    caller.name(),
                    "the issuer says that this is " + caller.name()
                            + ", and names no role of the controller for them: an administrator must look at claim.roles and role.* of"
                            + " etc/org.sextant.oidc.cfg");
        }
        return new In(caller, sessions.begin(caller));
    }

    private static LoginRefused denied(String error) {
        String code = error.matches("[a-z_]{1,40}") ? error : "an error";
        return LoginRefused.unknown(
                code.equals("access_denied")
                        ? "the login was called off at the issuer, or the issuer does not let this user in (access_denied)"
                        : "the issuer refused the login: " + code);
    }

    /** The caller with this word; empty if it means nothing any more. */
    public Optional<Caller> session(String word, String address) {
        return sessions.find(word, address);
    }

    /** @return whose session it was */
    public Optional<Caller> end(String word) {
        return sessions.end(word);
    }

    /**
     * Where to log out of the issuer as well (RP-Initiated Logout 1.0); empty if it does not offer that, or does not
     * answer. It gets the client and not the token, which no browser gets; it may ask the person whether to log out.
     */
    public Optional<URI> endPage() {
        try {
            Map<String, String> asked = new LinkedHashMap<>();
            asked.put("client_id", client.id());
            asked.put("post_logout_redirect_uri", map().toString());
            return exchange.description().endSession().map(page -> with(page, asked));
        } catch (LoginRefused e) {
            return Optional.empty();
        }
    }

    /** A sentence that a browser keeps until its page asks for it: no other site can have it say something. */
    public String told(String sentence) {
        return seal.closed(TOLD, sentence);
    }

    /** The sentence, if it is from here. */
    public Optional<String> read(String told) {
        return seal.open(TOLD, told);
    }

    private static URI with(URI page, Map<String, String> asked) {
        return URI.create(page + (page.getRawQuery() == null ? "?" : "&") + IssuerWeb.form(asked));
    }

    /** RFC 7636, section 4.2. */
    private static String challenge(String verifier) {
        try {
            return Base64.getUrlEncoder()
                    .withoutPadding()
                    .encodeToString(
                            MessageDigest.getInstance("SHA-256").digest(verifier.getBytes(StandardCharsets.US_ASCII)));
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("every JVM has SHA-256", e);
        }
    }
}
