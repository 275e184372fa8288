// SPDX-License-Identifier: Apache-2.0
package org.sextant.karaf.host.crash;

import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.sextant.core.access.Passwords;
import org.sextant.core.access.Role;
import org.sextant.core.port.Store;
import org.sextant.karaf.host.security.RecordedUsers;
import org.sextant.karaf.host.store.SqliteStore;
import org.sextant.northbound.access.Caller;
import org.sextant.northbound.access.Logins;
import org.sextant.northbound.access.TokenRequest;
import org.sextant.northbound.audit.AuditLog;
import org.sextant.northbound.audit.TestAuditLog;

/** All that a controller keeps: store, audit log, users and tokens, opened as it does. */
final class SmallController implements AutoCloseable {
    static final Caller ADMIN = new Caller("admin", Set.of(Role.ADMIN), Caller.How.PASSWORD, "192.0.2.1");

    private final Path folder;
    private final SqliteStore store;
    private final AuditLog trail;
    private final StoreLogins logins;

    SmallController(Path folder) {
        this.folder = folder;
        store = new SqliteStore(folder.resolve("store"));
        trail = TestAuditLog.in(folder);
        logins = new StoreLogins(store);
    }

    /** The tokens over a store; no password opens anything. */
    private static final class StoreLogins extends Logins {
        StoreLogins(Store kept) {
            store = kept;
            passwords = new NoPasswords();
            activate(Map.of());
        }

        void close() {
            deactivate();
        }
    }

    private static final class NoPasswords implements Passwords {
        @Override
        public Optional<Set<Role>> check(String name, String password) {
            return Optional.empty();
        }

        @Override
        public long version() {
            return 0;
        }
    }

    Store store() {
        return store;
    }

    AuditLog trail() {
        return trail;
    }

    String makeToken() {
        return logins.makeToken(ADMIN, new TokenRequest("test", Role.VIEWER, Duration.ofHours(1)))
                .get("id")
                .textValue();
    }

    void revokeToken(String id) {
        logins.revokeToken(ADMIN, id);
    }

    Set<String> tokens() {
        return Set.copyOf(logins.listTokens(ADMIN).stream()
                .map(token -> token.get("id").textValue())
                .toList());
    }

    void putUser(String name) throws IOException {
        RecordedUsers.put(folder, name);
    }

    Set<String> users() {
        return RecordedUsers.read(folder).keySet();
    }

    /** The audit log. */
    String lines() {
        return TestAuditLog.lines(trail).toString();
    }

    @Override
    public void close() {
        logins.close();
        trail.close();
        store.close();
    }
}
