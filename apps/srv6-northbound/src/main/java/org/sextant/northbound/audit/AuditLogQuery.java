// SPDX-License-Identifier: Apache-2.0
package org.sextant.northbound.audit;

import com.fasterxml.jackson.databind.JsonNode;
import java.time.Instant;
import java.time.format.DateTimeParseException;
import java.util.Optional;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.sextant.core.Problem;
import org.sextant.core.ProblemException;
import org.sextant.core.json.Fields;

/**
 * Which lines are wanted.
 *
 * @param resource an address, or the beginning of one up to a slash
 * @param limit at most so many
 * @param before only older ones than this line
 */
public record AuditLogQuery(
        Optional<String> user,
        Optional<Instant> since,
        Optional<String> resource,
        Optional<Outcome> outcome,
        int limit,
        long before) {
    private static final int MOST = 1000;
    private static final int USUAL = 100;

    /**
     * Null means that nothing was given.
     *
     * @throws ProblemException naming the parameter that cannot be read
     */
    public static AuditLogQuery parse(
            @Nullable String user,
            @Nullable String since,
            @Nullable String resource,
            @Nullable String outcome,
            @Nullable String limit,
            @Nullable String after) {
        return new AuditLogQuery(
                Optional.ofNullable(user),
                Optional.ofNullable(since).map(AuditLogQuery::instant),
                Optional.ofNullable(resource),
                Optional.ofNullable(outcome).map(AuditLogQuery::outcome),
                limit == null ? USUAL : (int) number("limit", limit, MOST),
                after == null ? Long.MAX_VALUE : number("after", after, Long.MAX_VALUE));
    }

    private static Instant instant(String text) {
        try {
            return Instant.parse(text);
        } catch (DateTimeParseException e) {
            throw wrong("since", text, "a time in UTC", "write it as 2026-11-23T10:00:00Z");
        }
    }

    private static Outcome outcome(String text) {
        return Stream.of(Outcome.values())
                .filter(one -> one.word().equals(text))
                .findFirst()
                .orElseThrow(() -> wrong(
                        "outcome",
                        text,
                        "an outcome",
                        "one of "
                                + Stream.of(Outcome.values()).map(Outcome::word).collect(Collectors.joining(", "))));
    }

    private static long number(String name, String text, long most) {
        long value = text.matches("[0-9]{1,18}") ? Long.parseLong(text) : 0;
        if (value < 1 || value > most) {
            throw wrong(name, text, "a number from 1 on", most == MOST ? MOST + " at most" : "the number of a line");
        }
        return value;
    }

    private static ProblemException wrong(String name, String text, String wanted, String remedy) {
        return new ProblemException(new Problem(
                Problem.Code.INVALID, "/" + name, "\"" + Fields.shorten(text) + "\" is not " + wanted, remedy));
    }

    boolean accepts(JsonNode line) {
        return line.path("seq").asLong() < before
                && user.map(line.path("user").asText()::equals).orElse(true)
                && since.map(then -> !Instant.parse(line.path("time").asText()).isBefore(then))
                        .orElse(true)
                && resource.map(wanted -> under(line.path("resource").asText(), wanted))
                        .orElse(true)
                && outcome.map(wanted -> line.path("outcome").asText().equals(wanted.word()))
                        .orElse(true);
    }

    private static boolean under(String resource, String wanted) {
        return resource.equals(wanted) || resource.startsWith(wanted + "/");
    }
}
