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
import com.nimbusds.jose.proc.JWSVerificationKeySelector;
import com.nimbusds.jose.proc.SecurityContext;
import com.nimbusds.jose.util.DefaultResourceRetriever;
import com.nimbusds.jose.util.JSONObjectUtils;
import com.nimbusds.jwt.JWTClaimsSet;
import com.nimbusds.jwt.SignedJWT;
import com.nimbusds.jwt.proc.BadJWTException;
import com.nimbusds.jwt.proc.DefaultJWTClaimsVerifier;
import com.nimbusds.jwt.proc.DefaultJWTProcessor;
import java.io.IOException;
import java.net.URI;
import java.net.URL;
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
import org.sextant.core.access.Role;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Tokens of somebody who knows the users better (OpenID Connect): signed by a key of the configured issuer, which is found by
 * discovery, meant for this controller, in time. The keys are kept; a key that is not among them has them fetched again, a few
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

    private static final int PATIENCE_MILLIS = 5_000;
    private static final int MOST_BYTES = 512 << 10;
    private static final long KEYS_MILLIS = Duration.ofMinutes(5).toMillis();
    private static final long OUTAGE_MILLIS = Duration.ofHours(4).toMillis();
    private static final long BETWEEN_FETCHES_MILLIS = 20_000;
    private static final Duration BETWEEN_DISCOVERIES = Duration.ofSeconds(5);

    private final IssuerSettings settings;
    private final Clock clock;
    private final DefaultResourceRetriever web =
            new DefaultResourceRetriever(PATIENCE_MILLIS, PATIENCE_MILLIS, MOST_BYTES);
    private @Nullable DefaultJWTProcessor<SecurityContext> processor;
    private Instant discovered = Instant.MIN;

    Issuer(IssuerSettings settings, Clock clock) {
        this.settings = settings;
        this.clock = clock;
    }

    Caller login(String token, String address) throws LoginRefused {
        JWTClaimsSet claims = claims(signed(token));
        Object user = claims.getClaim(settings.userClaim());
        if (!(user instanceof String name) || name.isBlank()) {
            throw refused("it has no claim " + settings.userClaim() + " that says who it is");
        }
        // No user of the controller's own has a colon in the name, so nobody is taken for somebody else.
        return new Caller("oidc:" + name, roles(claims), Caller.How.OIDC, address);
    }

    private static SignedJWT signed(String token) throws LoginRefused {
        try {
            return SignedJWT.parse(token);
        } catch (ParseException e) {
            throw refused("it is not signed"); // alg none, or encrypted, or no JWT at all
        }
    }

    private JWTClaimsSet claims(SignedJWT token) throws LoginRefused {
        try {
            return processor().process(token, null);
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

    private synchronized DefaultJWTProcessor<SecurityContext> processor() throws LoginRefused {
        if (processor == null) {
            Instant now = clock.instant();
            if (Duration.between(discovered, now).abs().compareTo(BETWEEN_DISCOVERIES) < 0) {
                throw unreachable(null);
            }
            discovered = now;
            processor = processor(keys());
        }
        return processor;
    }

    private DefaultJWTProcessor<SecurityContext> processor(JWKSource<SecurityContext> keys) {
        DefaultJWTProcessor<SecurityContext> made = new DefaultJWTProcessor<>();
        made.setJWSTypeVerifier(
                new DefaultJOSEObjectTypeVerifier<>(JOSEObjectType.JWT, new JOSEObjectType("at+jwt"), null));
        made.setJWSKeySelector(new JWSVerificationKeySelector<>(SIGNED_BY, keys));
        made.setJWTClaimsSetVerifier(new InTime());
        return made;
    }

    private JWKSource<SecurityContext> keys() throws LoginRefused {
        String issuer = settings.issuer().toString();
        try {
            URL description = URI.create(issuer.replaceAll("/$", "") + "/.well-known/openid-configuration")
                    .toURL();
            Map<String, Object> found =
                    JSONObjectUtils.parse(web.retrieveResource(description).getContent());
            if (!issuer.equals(found.get("issuer"))) {
                throw LoginRefused.unavailable("the issuer " + issuer + " calls itself " + found.get("issuer")
                        + "; etc/org.sextant.oidc.cfg must name it as it does");
            }
            return JWKSourceBuilder.create(
                            JSONObjectUtils.getURI(found, "jwks_uri").toURL(), web)
                    .cache(KEYS_MILLIS, PATIENCE_MILLIS * 2L)
                    .refreshAheadCache(false)
                    .rateLimited(BETWEEN_FETCHES_MILLIS)
                    .outageTolerant(OUTAGE_MILLIS)
                    .build();
        } catch (IOException | ParseException | IllegalArgumentException | NullPointerException e) {
            throw unreachable(e);
        }
    }

    private LoginRefused unreachable(@Nullable Exception fault) {
        if (fault != null) {
            LOG.warn("issuer={} does not answer: {}", settings.issuer(), fault.toString());
        }
        return LoginRefused.unavailable("the issuer " + settings.issuer()
                + " cannot be asked for its keys now; try again in a moment, or log in with a password or a token of the"
                + " controller");
    }

    private static LoginRefused refused(String why) {
        return LoginRefused.unknown("the issuer's token is refused: " + why);
    }

    /** The library's check of issuer, audience and times, by our clock, which a token must not be ahead of either. */
    private final class InTime extends DefaultJWTClaimsVerifier<SecurityContext> {
        InTime() {
            super(
                    settings.audience(),
                    new JWTClaimsSet.Builder()
                            .issuer(settings.issuer().toString())
                            .build(),
                    Set.of("exp"));
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
