// SPDX-License-Identifier: Apache-2.0
package org.sextant.northbound.access;

import com.fasterxml.jackson.databind.JsonNode;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.sextant.core.access.Role;
import org.sextant.core.json.Fields;

/**
 * A token that is asked for.
 *
 * @param name the role that it has until it expires
 * @param life until it expires
 */
public record TokenRequest(String name, Role role, Duration life) {
    private static final Duration USUAL = Duration.ofDays(30);
    private static final Duration LONGEST = Duration.ofDays(366);
    private static final int LONGEST_NAME = 100;
    private static final Pattern LIFE = Pattern.compile("([1-9][0-9]{0,7})([smhd])");

    /**
     * Without a role, the caller's own.
     *
     * @throws org.sextant.core.ProblemException naming each field that is not valid
     */
    public static TokenRequest read(JsonNode json, Caller caller) {
        Fields fields = new Fields(json, "", new ArrayList<>());
        fields.require("name", "say what the token is for");
        Optional<String> name = fields.text("name");
        Optional<Role> role = fields.word("role", List.of(Role.values()), Role::word);
        Optional<Duration> life = fields.parsed(
                "expiresIn", "write a number and s, m, h or d, such as 12h; 366d at most", TokenRequest::life);
        name.filter(text -> text.isBlank()
                        || text.length() > LONGEST_NAME
                        || text.chars().anyMatch(Character::isISOControl))
                .ifPresent(text -> fields.invalid(
                        "/name", "\"" + Fields.shorten(text) + "\" is no name", "write 1 to 100 printable characters"));
        fields.finishOrThrow();
        return new TokenRequest(
                name.orElseThrow(),
                role.orElseGet(() ->
                        caller.roles().stream().max(Comparator.naturalOrder()).orElse(Role.VIEWER)),
                life.orElse(USUAL));
    }

    private static Duration life(String text) {
        Matcher matcher = LIFE.matcher(text);
        if (!matcher.matches()) {
            throw new IllegalArgumentException("\"" + Fields.shorten(text) + "\" is no time");
        }
        Duration life = unit(matcher.group(2)).multipliedBy(Long.parseLong(matcher.group(1)));
        if (life.compareTo(LONGEST) > 0) {
            throw new IllegalArgumentException("\"" + text + "\" is longer than a token may live");
        }
        return life;
    }

    private static Duration unit(String letter) {
        return switch (letter) {
            case "s" -> Duration.ofSeconds(1);
            case "m" -> Duration.ofMinutes(1);
            case "h" -> Duration.ofHours(1);
            default -> Duration.ofDays(1);
        };
    }
}
