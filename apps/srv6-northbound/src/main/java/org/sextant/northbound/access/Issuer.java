// SPDX-License-Identifier: Apache-2.0
package org.sextant.northbound.access;

import com.nimbusds.jose.JOSEObjectType;
import com.nimbusds.jose.JWSAlgorithm;
import com.nimbusds.jose.KeySourceException;
import com.nimbusds.jose.RemoteKeySourceException;
import com.nimbusds.jose.jwk.source.JWKSetUnavailableException;
import com.nimbusds.jose.jwk.source.JWKSource;
import com.nimbusds.jose.jwk.source.JWKSourceBuilder;
import com.nimbusds.jose.proc.BadJOSEException;
import com.nimbusds.jose.proc.DefaultJOSEObjectTypeVerifier;
import com.nimbusds.jose.proc.JOSEObjectTypeVerifier;
import com.nimbusds.jose.proc.JWSVerificationKeySelector;
import com.nimbusds.jose.proc.SecurityContext;
import com.nimbusds.jwt.JWTClaimsSet;
import com.nimbusds.jwt.SignedJWT;
import com.nimbusds.jwt.proc.BadJWTException;
import com.nimbusds.jwt.proc.DefaultJWTClaimsVerifier;
import com.nimbusds.jwt.proc.DefaultJWTProcessor;
import com.nimbusds.jwt.proc.JWTClaimsSetVerifier;
import java.io.IOException;
import java.text.ParseException;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.Collection;
import java.util.Date;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.sextant.core.Reason;
import org.sextant.core.access.Role;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Tokens of a foreign issuer (OpenID Connect): signed by a key of the configured issuer, which is found by discovery,
 * meant for this controller, in time. The keys are kept; a key that is not among them has them fetched again, a few
 * times a minute at most.
 */
final class Issuer {
    private static final Logger LOG = LoggerFactory.getLogger(Issuer.class);
    private static final Set<JWSAlgorithm> SIGNED_BY = Set.of(
            JWSAlgorithm.RS256,
            JWSAlgorithm.RS384,
            JWSAlgorithm.RS512,
            JWSAlgorithm.PS256,
            JWSAlgorithm.PS384,
            JWSAlgorithm.PS512,
            JWSAlgorithm.ES256,
            JWSAlgorithm.ES384,
            JWSAlgorithm.ES512);

    private static final long KEYS_MILLIS = Duration.ofMinutes(5).toMillis();
    private static final long OUTAGE_MILLIS = Duration.ofHours(4).toMillis();
    private static final long BETWEEN_FETCHES_MILLIS = 20_000;
    private static final Duration BETWEEN_DISCOVERIES = Duration.ofSeconds(5);
    private static final Set<String> OF_BEARERS = Set.of("exp");
    private static final Set<String> OF_IDENTITIES = Set.of("exp", "iat", "sub", "nonce");

    private final IssuerSettings settings;
    private final Clock clock;
    private final IssuerWeb web;
    private @Nullable Known known;
    private Instant discovered = Instant.MIN;
    private String fault = "";

    Issuer(IssuerSettings settings, Clock clock, IssuerWeb web) {
        this.settings = settings;
        this.clock = clock;
        this.web = web;
    }

    /** The results of discovery. */
    private record Known(IssuerDescription description, JWKSource<SecurityContext> keys) {}

    IssuerDescription description() throws LoginRefused {
        return known().description();
    }

    /** The caller of a script's token. */
    Caller login(String token, String address) throws LoginRefused {
        return caller(
                claims(
                        signed(token),
                        new DefaultJOSEObjectTypeVerifier<>(JOSEObjectType.JWT, new JOSEObjectType("at+jwt"), null),
                        new InTime(settings.audience(), OF_BEARERS)),
                address);
    }

    /**
     * The caller that logged in at the issuer's page (OpenID Connect Core 1.0, section 3.1.3.7).
     *
     * @param nonce the nonce with which the login was begun: a token of another login has another one
     */
    Caller identity(String token, ClientSettings client, String nonce, String address) throws LoginRefused {
        JWTClaimsSet claims = claims(
                signed(token),
                new DefaultJOSEObjectTypeVerifier<>(JOSEObjectType.JWT, null),
                new InTime(client.id(), OF_IDENTITIES));
        if (!nonce.equals(claims.getClaim("nonce"))) {
            throw refused("its nonce is not the one of this login");
        }
        Object party = claims.getClaim("azp");
        if (party == null ? claims.getAudience().size() > 1 : !party.equals(client.id())) {
            throw refused("it was made for another client (azp)");
        }
        return caller(claims, address);
    }

    private Caller caller(JWTClaimsSet claims, String address) throws LoginRefused {
        Object user = claims.getClaim(settings.userClaim());
        if (!(user instanceof String name) || name.isBlank()) {
            throw refused("it has no claim " + settings.userClaim() + " that identifies the user");
        }
        // No user of the controller's own has a colon in the name, so names cannot collide.
        return new Caller("oidc:" + name, roles(claims), Caller.How.OIDC, address);
    }

    private static SignedJWT signed(String token) throws LoginRefused {
        try {
            return SignedJWT.parse(token);
        } catch (ParseException e) {
            throw refused("it is not signed"); // alg none, or encrypted, or no JWT at all
        }
    }

    private JWTClaimsSet claims(
            SignedJWT token,
            JOSEObjectTypeVerifier<SecurityContext> type,
            JWTClaimsSetVerifier<SecurityContext> verifier)
            throws LoginRefused {
        DefaultJWTProcessor<SecurityContext> processor = new DefaultJWTProcessor<>();
        processor.setJWSTypeVerifier(type);
        processor.setJWSKeySelector(new JWSVerificationKeySelector<>(SIGNED_BY, known().keys()));
        processor.setJWTClaimsSetVerifier(verifier);
        try {
            return processor.process(token, null);
        } catch (JWKSetUnavailableException | RemoteKeySourceException e) {
            throw unreachable(e);
        } catch (KeySourceException e) {
            throw refused("no key of the issuer has signed it"); // and the keys were fetched a moment ago
        } catch (BadJOSEException e) {
            throw refused(String.valueOf(e.getMessage()));
        } catch (com.nimbusds.jose.JOSEException e) {
            throw refused("its signature cannot be checked: " + e.getMessage());
        }
    }

    private Set<Role> roles(JWTClaimsSet claims) {
        Object at = claims.getClaims();
        for (String step : settings.roleClaim().split("\\.")) {
            at = at instanceof Map<?, ?> object ? object.get(step) : null;
        }
        Collection<?> values = at instanceof Collection<?> several ? several : at == null ? List.of() : List.of(at);
        Set<Role> roles = EnumSet.noneOf(Role.class);
        settings.values().forEach((role, meant) -> {
            if (values.stream().anyMatch(value -> value instanceof String && meant.contains(value))) {
                roles.add(role);
            }
        });
        return roles;
    }

    /** Asked once, for all waiting callers; while it does not answer, again every few seconds at most. */
    private synchronized Known known() throws LoginRefused {
        if (known == null) {
            if (Duration.between(discovered, clock.instant()).abs().compareTo(BETWEEN_DISCOVERIES) < 0) {
                throw unavailable(fault);
            }
            try {
                IssuerDescription description = IssuerDescription.fetch(web, settings.issuer());
                known = new Known(description, keys(description));
            } catch (IOException e) {
                throw unreachable(e);
            } finally {
                discovered = clock.instant(); // after it was waited for: callers behind must not wait as long again
            }
        }
        return known;
    }

    private JWKSource<SecurityContext> keys(IssuerDescription description) throws IOException {
        return JWKSourceBuilder.create(description.keys().toURL(), web)
                .cache(KEYS_MILLIS, 2 * IssuerWeb.PATIENCE.toMillis())
                .refreshAheadCache(false)
                .rateLimited(BETWEEN_FETCHES_MILLIS)
                .outageTolerant(OUTAGE_MILLIS)
                .build();
    }

    private LoginRefused unreachable(Exception failure) {
        LOG.warn("issuer={} does not answer: {}", settings.issuer(), failure.toString());
        fault = Reason.of(failure);
        return unavailable(fault);
    }

    private LoginRefused unavailable(String why) {
        return LoginRefused.unavailable("the issuer " + settings.issuer() + " cannot be asked for its keys now (" + why
                + "); try again in a moment, or log in with a password or a token of the controller");
    }

    private static LoginRefused refused(String why) {
        return LoginRefused.unknown("the issuer's token is refused: " + why);
    }

    /** The library's check of issuer, audience and times, by our clock, which a token must not be ahead of either. */
    private final class InTime extends DefaultJWTClaimsVerifier<SecurityContext> {
        InTime(String audience, Set<String> required) {
            super(
                    audience,
                    new JWTClaimsSet.Builder()
                            .issuer(settings.issuer().toString())
                            .build(),
                    required);
            setMaxClockSkew(settings.skewSeconds());
        }

        @Override
        protected Date currentTime() {
            return Date.from(clock.instant());
        }

        @Override
        public void verify(JWTClaimsSet claims, @Nullable SecurityContext context) throws BadJWTException {
            super.verify(claims, context);
            Date issued = claims.getIssueTime();
            if (issued != null && issued.toInstant().isAfter(clock.instant().plusSeconds(settings.skewSeconds()))) {
                throw new BadJWTException("it was issued at " + issued.toInstant() + ", which is yet to come");
            }
        }
    }
}
