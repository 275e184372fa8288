// SPDX-License-Identifier: Apache-2.0
package org.sextant.northbound.access;

import java.util.Optional;
import java.util.Set;
import java.util.function.LongSupplier;
import java.util.stream.Stream;
import org.sextant.core.Reason;
import org.sextant.core.access.Attempts;
import org.sextant.core.access.Passwords;
import org.sextant.core.access.Role;

/** Name and password, as HTTP basic authentication brings them with every request. */
final class PasswordLogin {
    private static final int TURNS = 64;

    private final Passwords users;
    private final VerifiedPasswords verified;
    private final Attempts attempts;
    private final Object[] turns = Stream.generate(Object::new).limit(TURNS).toArray();

    /** @param nanos a monotonic clock */
    PasswordLogin(Passwords users, LongSupplier nanos) {
        this.users = users;
        verified = new VerifiedPasswords(nanos);
        attempts = new Attempts(nanos);
    }

    /** A user at work already does not wait for attempts of others in the same name. */
    Caller login(String name, String password, String address) throws LoginRefused {
        long version = users.version();
        Optional<Set<Role>> known = verified.roles(name, password, version);
        Set<Role> roles = known.isPresent() ? known.get() : inTurn(name, password, address, version);
        return new Caller(name, roles, Caller.How.PASSWORD, address);
    }

    /** One after the other for each name: of many requests that come at once, the first finds out for all. */
    private Set<Role> inTurn(String name, String password, String address, long version) throws LoginRefused {
        synchronized (turns[Math.floorMod(name.hashCode(), turns.length)]) {
            Optional<Set<Role>> meanwhile = verified.roles(name, password, version);
            return meanwhile.isPresent() ? meanwhile.get() : check(name, password, address, version);
        }
    }

    private Set<Role> check(String name, String password, String address, long version) throws LoginRefused {
        long wait = attempts.wait(name, address);
        if (wait > 0) {
            throw LoginRefused.tooMany(wait);
        }
        Optional<Set<Role>> roles = checked(name, password);
        if (roles.isEmpty()) {
            attempts.failed(name, address);
            throw LoginRefused.unknown("no user of this name has this password");
        }
        attempts.succeeded(name, address);
        verified.put(name, password, version, roles.get());
        return roles.get();
    }

    private Optional<Set<Role>> checked(String name, String password) throws LoginRefused {
        try {
            return users.check(name, password);
        } catch (Passwords.TooBusyException e) {
            throw LoginRefused.unavailable(Reason.of(e));
        }
    }
}
