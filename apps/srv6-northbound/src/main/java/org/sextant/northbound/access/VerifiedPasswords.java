// SPDX-License-Identifier: Apache-2.0
package org.sextant.northbound.access;

import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.SecureRandom;
import java.time.Duration;
import java.util.HexFormat;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.LongSupplier;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;
import org.sextant.core.access.Role;

/**
 * Passwords that were right a moment ago: checking one takes a tenth of a second on purpose, and REST brings it with
 * every request. A keyed hash of name and password is kept, by a key that dies with this process, so that neither
 * memory nor the time of a look-up reveals passwords.
 */
final class VerifiedPasswords {
    private static final int MOST = 1_000;
    private static final long NANOS = Duration.ofSeconds(60).toNanos();
    private static final String ALGORITHM = "HmacSHA256";

    private final LongSupplier nanos;
    private final SecretKeySpec key;
    private final Map<String, Entry> entries = new LinkedHashMap<>() {
        private static final long serialVersionUID = 1L;

        @Override
        protected boolean removeEldestEntry(Map.Entry<String, Entry> eldest) {
            return size() > MOST;
        }
    };

    VerifiedPasswords(LongSupplier nanos) {
        this.nanos = nanos;
        byte[] random = new byte[32];
        new SecureRandom().nextBytes(random);
        key = new SecretKeySpec(random, ALGORITHM);
    }

    /** @param version of the users; passwords verified under another one count no more */
    synchronized Optional<Set<Role>> roles(String name, String password, long version) {
        Entry entry = entries.get(digest(name, password));
        return entry == null || entry.version != version || nanos.getAsLong() - entry.since > NANOS
                ? Optional.empty()
                : Optional.of(entry.roles);
    }

    synchronized void put(String name, String password, long version, Set<Role> roles) {
        String digest = digest(name, password);
        entries.remove(digest); // so that it is the newest
        entries.put(digest, new Entry(roles, version, nanos.getAsLong()));
    }

    private String digest(String name, String password) {
        try {
            Mac mac = Mac.getInstance(ALGORITHM);
            mac.init(key);
            mac.update(name.getBytes(StandardCharsets.UTF_8));
            mac.update((byte) 0);
            return HexFormat.of().formatHex(mac.doFinal(password.getBytes(StandardCharsets.UTF_8)));
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException("every JVM has " + ALGORITHM, e);
        }
    }

    private record Entry(Set<Role> roles, long version, long since) {}
}
