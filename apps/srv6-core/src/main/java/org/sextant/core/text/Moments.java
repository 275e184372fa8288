// SPDX-License-Identifier: Apache-2.0
package org.sextant.core.text;

import java.time.Instant;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.time.temporal.ChronoUnit;

/** Moments in text form, for operators and programs: no clock here is right to the nanosecond. */
public final class Moments {
    private static final DateTimeFormatter SECONDS =
            DateTimeFormatter.ofPattern("yyyy-MM-dd HH:mm:ss 'UTC'").withZone(ZoneOffset.UTC);

    private Moments() {}

    /** ISO 8601 to the millisecond, for documents. */
    public static String iso(Instant moment) {
        return moment.truncatedTo(ChronoUnit.MILLIS).toString();
    }

    /** To the second, for operators: {@code 2026-11-22 09:34:45 UTC}. */
    public static String text(Instant moment) {
        return SECONDS.format(moment);
    }

    /** As {@link #text(Instant)}, for a result of {@link #iso}. */
    public static String text(String iso) {
        return text(Instant.parse(iso));
    }
}
