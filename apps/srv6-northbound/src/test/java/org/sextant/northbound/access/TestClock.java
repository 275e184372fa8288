// SPDX-License-Identifier: Apache-2.0
package org.sextant.northbound.access;

import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneId;
import java.time.ZoneOffset;

/** A clock that tests set. */
final class TestClock extends Clock {
    private Instant now = Instant.parse("2026-11-23T03:00:00Z");

    void jump(Duration by) {
        now = now.plus(by);
    }

    @Override
    public Instant instant() {
        return now;
    }

    @Override
    public ZoneId getZone() {
        return ZoneOffset.UTC;
    }

    @Override
    public Clock withZone(ZoneId zone) {
        return this;
    }
}
