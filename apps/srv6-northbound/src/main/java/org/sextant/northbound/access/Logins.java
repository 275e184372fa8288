// SPDX-License-Identifier: Apache-2.0
package org.sextant.northbound.access;

import com.fasterxml.jackson.databind.node.ObjectNode;
import java.nio.charset.StandardCharsets;
import java.time.Clock;
import java.time.Duration;
import java.util.Base64;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;
import org.osgi.service.component.annotations.Activate;
import org.osgi.service.component.annotations.Component;
import org.osgi.service.component.annotations.Deactivate;
import org.osgi.service.component.annotations.Reference;
import org.osgi.service.component.annotations.ReferenceCardinality;
import org.osgi.service.component.annotations.ReferencePolicyOption;
import org.sextant.core.access.Passwords;
import org.sextant.core.access.Role;
import org.sextant.core.access.Users;
import org.sextant.core.calls.Daemons;
import org.sextant.core.port.Store;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Authenticates the sender of a request by its Authorization header: a password, a token of ours, a token of the
 * issuer.
 */
@Component(service = Logins.class, configurationPid = "org.sextant.oidc")
public class Logins {
    private static final Logger LOG = LoggerFactory.getLogger(Logins.class);
    private static final int SETTLE_SECONDS = 30;
    private static final String HOW =
            "log in with a user and a password (HTTP basic authentication) or with a bearer token";

    @Reference
    protected Passwords passwords;

    @Reference
    protected Store store;

    /** Where the controller keeps the users itself. */
    @Reference(cardinality = ReferenceCardinality.OPTIONAL, policyOption = ReferencePolicyOption.GREEDY)
    protected @Nullable Users users;

    private PasswordLogin byPassword;
    private Tokens tokens;
    private ScheduledExecutorService settling;
    private Optional<Issuer> issuer = Optional.empty();
    private Optional<BrowserLogins> browsers = Optional.empty();

    @Activate
    protected void activate(Map<String, ?> configured) {
        byPassword = new PasswordLogin(passwords, nanos());
        tokens = new Tokens(store, clock());
        settling = Daemons.clock("sextant-tokens");
        settling.scheduleWithFixedDelay(this::settle, SETTLE_SECONDS, SETTLE_SECONDS, TimeUnit.SECONDS);
        try {
            IssuerSettings.of(configured).ifPresent(this::trust);
        } catch (IllegalArgumentException e) {
            LOG.error("no issuer is trusted: {}", e.getMessage());
        }
    }

    /** The end of tokens is noticed though no client shows them. */
    private void settle() {
        try {
            tokens.settle();
        } catch (RuntimeException e) {
            LOG.debug("tokens that have ended are marked later", e);
        }
    }

    @Deactivate
    protected void deactivate() {
        settling.shutdownNow();
    }

    private void trust(IssuerSettings settings) {
        IssuerWeb web = new IssuerWeb(settings.authorities(), patience());
        Issuer trusted = new Issuer(settings, clock(), web);
        issuer = Optional.of(trusted);
        browsers = settings.client()
                .map(client -> new BrowserLogins(
                        settings.issuer(),
                        client,
                        trusted,
                        new CodeExchange(settings.issuer(), client, trusted, web),
                        new BrowserSessions(nanos()),
                        nanos()));
    }

    /** How long the issuer is waited for. */
    protected Duration patience() {
        return IssuerWeb.PATIENCE;
    }

    /** A monotonic clock. */
    protected LongSupplier nanos() {
        return System::nanoTime;
    }

    /** Logins at the issuer's page; empty if that is not configured. */
    public Optional<BrowserLogins> browsers() {
        return browsers;
    }

    /** The time of day. */
    protected Clock clock() {
        return Clock.systemUTC();
    }

    Tokens tokens() {
        return tokens;
    }

    /** The tokens that this caller may see: their own ones, an administrator all. */
    public List<ObjectNode> listTokens(Caller caller) {
        return tokens.list(caller);
    }

    /** The token is in the answer, and nowhere else. */
    public ObjectNode makeToken(Caller owner, TokenRequest request) {
        Tokens.Made made = tokens.make(owner, request.name(), request.role(), request.life());
        return made.kept().view().put("token", made.token());
    }

    /** False if there is none of this id that the caller may see. */
    public boolean revokeToken(Caller caller, String id) {
        return tokens.revoke(caller, id);
    }

    /**
     * @param authorization the header; null for none
     * @param address where the request comes from
     */
    Caller login(@Nullable String authorization, String address) throws LoginRefused {
        String header = authorization == null ? "" : authorization.trim();
        int blank = header.indexOf(' ');
        String scheme = blank < 0 ? "" : header.substring(0, blank).toLowerCase(Locale.ROOT);
        String credentials = header.substring(blank + 1).trim();
        return switch (scheme) {
            case "basic" -> basic(credentials, address);
            case "bearer" -> bearer(credentials, address);
            default -> throw LoginRefused.unknown(HOW);
        };
    }

    /** @param word that a browser got when its user logged in at the issuer's page */
    Caller session(String word, String address) throws LoginRefused {
        return browsers.flatMap(open -> open.session(word, address))
                .orElseThrow(() -> LoginRefused.unknown("this login is over: log in again"));
    }

    private Caller basic(String credentials, String address) throws LoginRefused {
        String decoded;
        try {
            decoded = new String(Base64.getDecoder().decode(credentials), StandardCharsets.UTF_8);
        } catch (IllegalArgumentException e) {
            throw LoginRefused.unknown(HOW);
        }
        int colon = decoded.indexOf(':');
        if (colon < 0) {
            throw LoginRefused.unknown(HOW);
        }
        return byPassword.login(decoded.substring(0, colon), decoded.substring(colon + 1), address);
    }

    private Caller bearer(String token, String address) throws LoginRefused {
        if (token.startsWith(Tokens.MARK)) {
            return tokens.login(token, address, this::rolesOfOwner);
        }
        if (issuer.isEmpty()) {
            throw LoginRefused.unknown(
                    "this is no token of the controller, and it trusts no issuer (etc/org.sextant.oidc.cfg)");
        }
        return issuer.get().login(token, address);
    }

    /** The issuer's users, and those of a host that keeps its own, cannot be looked up: their tokens live until they expire. */
    private Optional<Set<Role>> rolesOfOwner(TokenRecord token) {
        return users == null || token.ownerHow() != Caller.How.PASSWORD
                ? Optional.of(Set.of(token.role()))
                : Optional.ofNullable(users.all().get(token.owner()));
    }
}
