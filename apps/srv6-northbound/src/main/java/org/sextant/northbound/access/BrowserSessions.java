// SPDX-License-Identifier: Apache-2.0
package org.sextant.northbound.access;

import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.security.SecureRandom;
import java.time.Duration;
import java.util.Base64;
import java.util.HexFormat;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.function.LongSupplier;

/**
 * The callers that logged in at the issuer's page, by a random word that only their browser has; here it is a hash.
 * They are in memory alone and end with the process, after twelve hours, and when nothing was asked for half an hour.
 */
final class BrowserSessions {
    static final Duration LONGEST = Duration.ofHours(12);
    static final Duration IDLE = Duration.ofMinutes(30);
    private static final int MOST = 10_000;
    private static final int MOST_OF_USER = 20;
    private static final int BYTES = 32;

    private final LongSupplier nanos;
    private final SecureRandom random = new SecureRandom();
    /** The oldest first. */
    private final Map<String, Session> sessions = new LinkedHashMap<>();

    /** @param nanos a monotonic clock */
    BrowserSessions(LongSupplier nanos) {
        this.nanos = nanos;
    }

    private static final class Session {
        private final Caller caller;
        private final long begun;
        private long used;

        Session(Caller caller, long begun) {
            this.caller = caller;
            this.begun = begun;
            this.used = begun;
        }

        boolean over(long now) {
            return now - begun > LONGEST.toNanos() || now - used > IDLE.toNanos();
        }
    }

    /** @return the word; the oldest sessions go where there are too many, of this user or of all */
    synchronized String begin(Caller caller) {
        long now = nanos.getAsLong();
        sessions.values().removeIf(session -> session.over(now));
        long own = sessions.values().stream().filter(one -> of(one, caller)).count();
        Iterator<Session> oldest = sessions.values().iterator();
        while (oldest.hasNext() && (own >= MOST_OF_USER || sessions.size() >= MOST)) {
            boolean mine = of(oldest.next(), caller);
            if (mine || sessions.size() >= MOST) {
                oldest.remove();
                own -= mine ? 1 : 0;
            }
        }
        byte[] bytes = new byte[BYTES];
        random.nextBytes(bytes);
        String word = Base64.getUrlEncoder().withoutPadding().encodeToString(bytes);
        sessions.put(hash(word), new Session(caller, now));
        return word;
    }

    private static boolean of(Session session, Caller caller) {
        return session.caller.name().equals(caller.name());
    }

    /** @param address where the request comes from that shows the word */
    synchronized Optional<Caller> find(String word, String address) {
        Session session = sessions.get(hash(word));
        long now = nanos.getAsLong();
        if (session == null || session.over(now)) {
            return Optional.empty();
        }
        session.used = now;
        Caller caller = session.caller;
        return Optional.of(new Caller(caller.name(), caller.roles(), caller.how(), address));
    }

    /** @return whose it was */
    synchronized Optional<Caller> end(String word) {
        return Optional.ofNullable(sessions.remove(hash(word))).map(session -> session.caller);
    }

    private static String hash(String word) {
        try {
            return HexFormat.of()
                    .formatHex(MessageDigest.getInstance("SHA-256").digest(word.getBytes(StandardCharsets.UTF_8)));
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("every JVM has SHA-256", e);
        }
    }
}
