// SPDX-License-Identifier: Apache-2.0
package org.sextant.northbound.events;

import java.time.Instant;

/**
 * One event of the log, or several of one subject that were put together.
 *
 * @param number grows with every event of this controller since it started; of several the last one's
 * @param first when it happened; of several, the first of them
 * @param last when the last of them happened
 * @param count how many they are
 * @param severity of several the worst
 * @param text a sentence; of several the last one's
 */
public record LogEvent(
        long number,
        Instant first,
        Instant last,
        int count,
        LogKind kind,
        Severity severity,
        LogSubject subject,
        String text) {

    /** The same with one more of its kind. */
    LogEvent and(long next, Instant time, Severity also, String later) {
        Severity worst = also.compareTo(severity) > 0 ? also : severity;
        int more = count == Integer.MAX_VALUE ? count : count + 1;
        return new LogEvent(next, first, time, more, kind, worst, subject, later);
    }
}
