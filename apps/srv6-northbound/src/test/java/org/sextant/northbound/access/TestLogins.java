// SPDX-License-Identifier: Apache-2.0
package org.sextant.northbound.access;

import java.nio.charset.StandardCharsets;
import java.time.Clock;
import java.time.Duration;
import java.util.Base64;
import java.util.Map;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.LongSupplier;
import org.sextant.core.fake.FakeStore;

/** Logins over {@link TestUsers}. */
public final class TestLogins extends Logins {
    final TestUsers known = new TestUsers();
    final FakeStore kept = new FakeStore();
    final TestClock time = new TestClock();
    private final AtomicLong elapsed = new AtomicLong();

    public TestLogins(Map<String, String> issuer) {
        passwords = known;
        users = known;
        store = kept;
        activate(issuer);
    }

    /** Another process over the same store. */
    void restart() {
        deactivate();
        activate(Map.of());
    }

    @Override
    protected Clock clock() {
        return time;
    }

    @Override
    protected Duration patience() {
        return Duration.ofSeconds(2);
    }

    @Override
    protected LongSupplier nanos() {
        return elapsed::get;
    }

    /** It is so much later. */
    public void later(Duration by) {
        elapsed.addAndGet(by.toNanos());
        time.jump(by);
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
