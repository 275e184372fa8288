// SPDX-License-Identifier: Apache-2.0
package org.sextant.northbound.events;

import java.time.Instant;
import java.time.format.DateTimeParseException;
import java.util.Optional;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.sextant.core.Problem;
import org.sextant.core.ProblemException;
import org.sextant.core.json.Fields;

/**
 * Which events of the log are wanted.
 *
 * @param subject a kind, or a kind and an id with a slash between
 * @param severity these and worse ones
 * @param since those that happened then or later; of several that were put together the last counts
 * @param limit at most so many
 * @param before only older ones than this number
 */
public record LogQuery(
        Optional<LogKind> kind,
        Optional<String> subject,
        Severity severity,
        Optional<Instant> since,
        int limit,
        long before) {
    /** The longest page. */
    public static final int MOST = 1000;

    private static final int USUAL = 100;

    /**
     * Null or empty means that nothing was given.
     *
     * @throws ProblemException naming the parameter that cannot be read
     */
    public static LogQuery parse(
            @Nullable String kind,
            @Nullable String subject,
            @Nullable String severity,
            @Nullable String since,
            @Nullable String limit,
            @Nullable String after) {
        return new LogQuery(
                given(kind).map(text -> word("kind", text, LogKind.values(), LogKind::word)),
                given(subject),
                given(severity)
                        .map(text -> word("severity", text, Severity.values(), Severity::word))
                        .orElse(Severity.INFO),
                given(since).map(LogQuery::instant),
                given(limit).map(text -> (int) number("limit", text, MOST)).orElse(USUAL),
                given(after).map(text -> number("after", text, Long.MAX_VALUE)).orElse(Long.MAX_VALUE));
    }

    private static Optional<String> given(@Nullable String text) {
        return Optional.ofNullable(text).filter(some -> !some.isEmpty());
    }

    private static <T> T word(String field, String text, T[] all, Function<T, String> spelling) {
        return Stream.of(all)
                .filter(one -> spelling.apply(one).equals(text))
                .findFirst()
                .orElseThrow(() -> wrong(
                        field,
                        text,
                        "a " + field + " of events",
                        "one of " + Stream.of(all).map(spelling).collect(Collectors.joining(", "))));
    }

    private static Instant instant(String text) {
        try {
            return Instant.parse(text);
        } catch (DateTimeParseException e) {
            throw wrong("since", text, "a time in UTC", "write it as 2026-11-23T10:00:00Z");
        }
    }

    private static long number(String field, String text, long most) {
        long value = text.matches("[0-9]{1,18}") ? Long.parseLong(text) : 0;
        if (value < 1 || value > most) {
            throw wrong(field, text, "a number from 1 on", most == MOST ? MOST + " at most" : "the number of an event");
        }
        return value;
    }

    private static ProblemException wrong(String field, String text, String wanted, String remedy) {
        return new ProblemException(new Problem(
                Problem.Code.INVALID, "/" + field, "\"" + Fields.shorten(text) + "\" is not " + wanted, remedy));
    }

    boolean accepts(LogEvent event) {
        return event.number() < before
                && event.severity().compareTo(severity) >= 0
                && kind.map(event.kind()::equals).orElse(true)
                && subject.map(event.subject()::matches).orElse(true)
                && since.map(then -> !event.last().isBefore(then)).orElse(true);
    }
}
