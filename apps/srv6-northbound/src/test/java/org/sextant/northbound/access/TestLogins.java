// SPDX-License-Identifier: Apache-2.0
package org.sextant.northbound.access;

import java.nio.charset.StandardCharsets;
import java.time.Clock;
import java.util.Base64;
import java.util.Map;
import org.sextant.core.fake.FakeStore;

/** Logins over {@link TestUsers}. */
final class TestLogins extends Logins {
    final TestUsers known = new TestUsers();
    final FakeStore kept = new FakeStore();
    final TestClock time = new TestClock();

    TestLogins(Map<String, String> issuer) {
        passwords = known;
        users = known;
        store = kept;
        activate(issuer);
    }

    @Override
    protected Clock clock() {
        return time;
    }

    static String basic(String user, String password) {
        return "Basic " + Base64.getEncoder().encodeToString((user + ":" + password).getBytes(StandardCharsets.UTF_8));
    }

    Caller as(String user) {
        try {
            return login(basic(user, user + user), "192.0.2.7");
        } catch (LoginRefused e) {
            throw new AssertionError(e);
        }
    }
}
