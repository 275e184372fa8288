// SPDX-License-Identifier: Apache-2.0
package org.sextant.core.net;

import java.time.Duration;

/**
 * The announced part of the measured delay of a link. Paths that follow each change of a queue would move traffic into
 * the next queue and back; so, like routers' announcements in RFC 8570, 5 and 6, a delay is announced only if it
 * differs for some time, and not often. A pure value: each window is added to it, and the announced delay of a moment
 * is read from it.
 *
 * @param micros the announced one-way delay; 0 if there is none
 * @param since when it was announced, in nanoseconds of the clock of {@link #heard}
 * @param run windows in a row that were materially longer, or, negative, shorter
 * @param window the last one that was added; -1 if none was
 * @param measured time of the last measurement, by the same clock
 */
public record AnnouncedDelay(long micros, long since, int run, long window, long measured) {
    /**
     * A change below either is ignored: on long links the first decides, on short ones the second, which a busy machine
     * causes alone.
     */
    public static final int LEAST_PERCENT = 10;

    public static final long LEAST_MICROS = 50;
    /** The number of windows in a row that have to agree on it. */
    public static final int WINDOWS = 3;
    /** Between two announcements (RFC 8570, 6: no more often than every 30 seconds). */
    public static final Duration PACE = Duration.ofSeconds(30);
    /** A port without measurements for so long has stopped measuring. */
    public static final Duration SILENCE = Duration.ofMinutes(1);

    public static final AnnouncedDelay NONE = new AnnouncedDelay(0, 0, 0, -1, 0);

    public AnnouncedDelay {
        if (micros < 0) {
            throw new IllegalArgumentException("a delay is 0 or more");
        }
    }

    /**
     * A window has ended; a repeated report of it has no effect.
     *
     * @param least the least delay of the window in microseconds, or 0 if there was no measurement
     * @param now nanoseconds of a clock that only goes on
     */
    public AnnouncedDelay heard(long number, long least, long now) {
        AnnouncedDelay before = at(now);
        if (number == before.window) {
            return before;
        }
        if (least <= 0) {
            return new AnnouncedDelay(before.micros, before.since, 0, number, before.measured);
        }
        int direction = before.direction(least);
        int next = direction == 0 ? 0 : before.run * direction > 0 ? before.run + direction : direction;
        boolean paced = before.micros == 0 || now - before.since >= PACE.toNanos();
        return Math.abs(next) >= WINDOWS && paced
                ? new AnnouncedDelay(least, now, 0, number, now)
                : new AnnouncedDelay(before.micros, before.since, next, number, now);
    }

    /** The value at a moment: none after {@link #SILENCE}. */
    public AnnouncedDelay at(long now) {
        boolean silent = (micros > 0 || run != 0) && now - measured >= SILENCE.toNanos();
        return silent ? new AnnouncedDelay(0, 0, 0, window, measured) : this;
    }

    /** 1 if a delay is materially longer than the announced one, or none is announced, -1 if shorter, 0 if neither. */
    private int direction(long least) {
        if (micros == 0) {
            return 1;
        }
        long change = least - micros;
        boolean material = Math.abs(change) > LEAST_MICROS && Math.abs(change) * 100 > micros * LEAST_PERCENT;
        return material ? Long.signum(change) : 0;
    }
}
