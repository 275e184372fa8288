// SPDX-License-Identifier: Apache-2.0
package org.sextant.northbound.access;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.security.SecureRandom;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.Base64;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;
import java.util.stream.Stream;
import org.sextant.core.Problem;
import org.sextant.core.ProblemException;
import org.sextant.core.access.Role;
import org.sextant.core.port.Store;
import org.sextant.core.port.StoreUnavailableException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Tokens for scripts: random, shown once, kept as a hash, with a role and an end. */
final class Tokens {
    /** In front of every token, so that scanners for secrets in files find them. */
    static final String MARK = "sxt_";

    private static final Logger LOG = LoggerFactory.getLogger(Tokens.class);

    static final String MAP = "access-tokens";
    static final String USES = "access-token-uses";
    private static final int ID_BYTES = 6;
    private static final int SECRET_BYTES = 32;
    private static final int MOST_OF_OWNER = 100;
    private static final Duration SKEW = Duration.ofMinutes(5);
    /** A use is written down this often at most: the store syncs. */
    private static final Duration BETWEEN_NOTES = Duration.ofMinutes(5);

    private final Store store;
    private final Clock clock;
    private final SecureRandom random = new SecureRandom();
    private final ObjectMapper mapper = new ObjectMapper();

    Tokens(Store store, Clock clock) {
        this.store = store;
        this.clock = clock;
    }

    /** The stored record, and the token, which cannot be recovered from it. */
    record Made(TokenRecord kept, String token) {}

    Made make(Caller owner, String name, Role role, Duration life) {
        if (of(owner.name()).count() >= MOST_OF_OWNER) {
            throw new ProblemException(new Problem(
                    Problem.Code.INVALID,
                    "",
                    owner.name() + " has " + MOST_OF_OWNER + " tokens",
                    "revoke one that is not needed any more"));
        }
        Instant now = clock.instant();
        while (true) {
            String id = HexFormat.of().formatHex(bytes(ID_BYTES));
            String token =
                    MARK + id + "_" + Base64.getUrlEncoder().withoutPadding().encodeToString(bytes(SECRET_BYTES));
            TokenRecord kept =
                    new TokenRecord(id, name, owner.name(), owner.how(), role, now, now.plus(life), hash(token), false);
            if (store.putIfAbsent(MAP, id, kept.json().toString())) {
                return new Made(kept, token);
            }
        }
    }

    /** @param roles the roles of a token's owner by now; empty if there is no such user any more */
    Caller login(String token, String address, Function<TokenRecord, Optional<Set<Role>>> roles) throws LoginRefused {
        TokenRecord kept = find(id(token))
                .filter(one -> MessageDigest.isEqual(
                        one.hash().getBytes(StandardCharsets.US_ASCII),
                        hash(token).getBytes(StandardCharsets.US_ASCII)))
                .orElseThrow(() -> LoginRefused.unknown("there is no such token; it was revoked, or never made here"));
        Instant now = clock.instant();
        if (kept.isOver() || !now.isBefore(kept.expires())) {
            unlessFull(() -> end(kept));
            throw LoginRefused.unknown("this token expired at " + kept.expires() + "; make another one");
        }
        if (now.plus(SKEW).isBefore(kept.created())) {
            throw LoginRefused.unknown("this token was made at " + kept.created()
                    + ", which is yet to come: the controller's clock is wrong");
        }
        if (!kept.role().coveredBy(roles.apply(kept).orElse(Set.of()))) {
            throw LoginRefused.unknown(
                    "the owner of this token, " + kept.owner() + ", is gone or has its role no more");
        }
        unlessFull(() -> note(kept.id(), now));
        return new Caller(kept.owner(), Set.of(kept.role()), Caller.How.TOKEN, address);
    }

    /**
     * Marks the tokens whose end has come, durably: a clock that is set back later, or a machine that starts without the time, does not
     * bring them back.
     *
     * @throws org.sextant.core.port.StoreUnavailableException if the store takes nothing; then it is to be done again
     */
    void settle() {
        Instant now = clock.instant();
        all().filter(token -> !now.isBefore(token.expires())).forEach(this::end);
    }

    private void end(TokenRecord token) {
        if (!token.isOver()) {
            // Only if it is still there: a revoked token stays revoked.
            store.replace(
                    MAP,
                    token.id(),
                    token.json().toString(),
                    token.over().json().toString());
        }
    }

    /** A disk without room changes no answer to a login: the record is written later. */
    private static void unlessFull(Runnable write) {
        try {
            write.run();
        } catch (StoreUnavailableException e) {
            LOG.debug("tokens: not written yet", e);
        }
    }

    private static String id(String token) {
        int end = token.indexOf('_', MARK.length());
        return end < 0 ? "" : token.substring(MARK.length(), end);
    }

    private Optional<TokenRecord> find(String id) {
        return store.get(MAP, id).map(json -> read(id, json));
    }

    private TokenRecord read(String id, String json) {
        try {
            return TokenRecord.of(id, mapper.readTree(json));
        } catch (JsonProcessingException e) {
            throw new IllegalStateException("token " + id + " in the store is not JSON", e);
        }
    }

    private void note(String id, Instant now) {
        Optional<Instant> last = store.get(USES, id).map(Instant::parse);
        if (last.isEmpty() || Duration.between(last.get(), now).abs().compareTo(BETWEEN_NOTES) > 0) {
            store.put(USES, Map.of(id, now.toString()));
        }
    }

    private Stream<TokenRecord> of(String owner) {
        return all().filter(token -> token.owner().equals(owner));
    }

    private Stream<TokenRecord> all() {
        return store.all(MAP).entrySet().stream().map(entry -> read(entry.getKey(), entry.getValue()));
    }

    /** The tokens that this caller may see: their own ones, an administrator all. */
    List<ObjectNode> list(Caller caller) {
        Map<String, String> uses = store.all(USES);
        return all().filter(token -> sees(caller, token))
                .map(token -> token.view().put("lastUse", uses.get(token.id())))
                .toList();
    }

    /** @return false if there is none of this id that the caller may see */
    boolean revoke(Caller caller, String id) {
        if (find(id).filter(token -> sees(caller, token)).isEmpty()) {
            return false;
        }
        return store.commit(List.of(Store.Write.delete(MAP, id), Store.Write.clear(USES, id)))
                .isEmpty();
    }

    /** For a user that is deleted: another one of the same name must not have them. */
    void revokeAll(String owner) {
        store.commit(of(owner)
                .map(TokenRecord::id)
                .flatMap(id -> Stream.of(Store.Write.clear(MAP, id), Store.Write.clear(USES, id)))
                .toList());
    }

    private static boolean sees(Caller caller, TokenRecord token) {
        return caller.may(Role.ADMIN) || token.owner().equals(caller.name());
    }

    private byte[] bytes(int count) {
        byte[] bytes = new byte[count];
        random.nextBytes(bytes);
        return bytes;
    }

    private static String hash(String token) {
        try {
            return HexFormat.of()
                    .formatHex(MessageDigest.getInstance("SHA-256").digest(token.getBytes(StandardCharsets.UTF_8)));
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("every JVM has SHA-256", e);
        }
    }
}
