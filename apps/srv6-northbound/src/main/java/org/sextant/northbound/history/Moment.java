// SPDX-License-Identifier: Apache-2.0
package org.sextant.northbound.history;

import java.time.Duration;
import java.time.Instant;
import java.time.format.DateTimeParseException;
import org.jspecify.annotations.Nullable;
import org.sextant.core.Problem;
import org.sextant.core.ProblemException;
import org.sextant.core.history.StateLog;
import org.sextant.core.json.Fields;
import org.sextant.core.text.Moments;

/** A moment of the past as people and programs write it: a time, or how many seconds ago. */
final class Moment {
    private Moment() {}

    /**
     * When it was by the clock that never jumps.
     *
     * @param text null for now
     * @throws ProblemException if it is no time, not yet, or so long ago that nothing is known
     */
    static long parse(@Nullable String text, Lookback now) {
        if (text == null) {
            return now.nanos();
        }
        Duration ago = text.matches("[0-9]{1,6}") ? Duration.ofSeconds(Long.parseLong(text)) : since(text, now.now());
        if (ago.isNegative()) {
            throw wrong(
                    "\"" + Fields.shorten(text) + "\" is not yet: it is " + Moments.iso(now.now()) + " here",
                    "go by the controller's clock, or say how many seconds ago");
        }
        long from = now.states().from(now.nanos());
        if (ago.compareTo(Duration.ofNanos(now.nanos() - from)) > 0) {
            throw wrong(
                    "what was at \"" + Fields.shorten(text) + "\" is not known any more, or was never",
                    "ask for " + Moments.iso(now.instantOf(from)) + " or later; an hour is kept at most");
        }
        return now.nanos() - ago.toNanos();
    }

    private static Duration since(String text, Instant now) {
        try {
            Duration ago = Duration.between(Instant.parse(text), now);
            // Beyond the range of nanoseconds; it is too long ago, or not yet, all the same.
            return ago.abs().compareTo(Duration.ofDays(365)) > 0
                    ? Duration.ofNanos((ago.isNegative() ? -1 : 2) * StateLog.KEPT_NANOS)
                    : ago;
        } catch (DateTimeParseException e) {
            throw wrong(
                    "\"" + Fields.shorten(text) + "\" is neither a time in UTC nor a number of seconds",
                    "write it as 2026-11-23T10:00:00Z, or 90 for a minute and a half ago");
        }
    }

    private static ProblemException wrong(String message, String remedy) {
        return new ProblemException(new Problem(Problem.Code.INVALID, "/at", message, remedy));
    }
}
