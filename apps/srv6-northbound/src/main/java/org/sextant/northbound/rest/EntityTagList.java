// SPDX-License-Identifier: Apache-2.0
package org.sextant.northbound.rest;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.sextant.core.Problem;
import org.sextant.core.ProblemException;

/**
 * The value of If-Match or If-None-Match (RFC 9110, 13.1): {@code *}, or entity tags without their quotes, which may be
 * none.
 *
 * @param any {@code *}
 */
record EntityTagList(boolean any, List<Tag> tags) {
    /**
     * An element of a list, which may be empty, with the comma or the end behind it (RFC 9110, 5.6.1 and 8.8.3). One at a time:
     * an expression of a whole list takes stack for each element.
     */
    private static final Pattern ELEMENT =
            Pattern.compile("\\G\\s*+(?:(W/)?\"([\\x21\\x23-\\x7e\\x80-\\xff]*+)\")?+\\s*+(,|\\z)");

    EntityTagList {
        tags = List.copyOf(tags);
    }

    /** An entity tag without its quotes. */
    record Tag(boolean weak, String opaque) {}

    /**
     * Parses a header.
     *
     * @param lines of the header; null or none: the request does not have it
     * @throws ProblemException naming the header if it is not a list of entity tags
     */
    static Optional<EntityTagList> parse(String name, @Nullable List<String> lines) {
        if (lines == null || lines.isEmpty()) {
            return Optional.empty();
        }
        String value = String.join(",", lines);
        if (value.strip().equals("*")) {
            return Optional.of(new EntityTagList(true, List.of()));
        }
        List<Tag> tags = new ArrayList<>();
        Matcher element = ELEMENT.matcher(value);
        boolean whole = false;
        while (!whole && element.find()) {
            whole = element.group(3).isEmpty();
            if (element.group(2) != null) {
                tags.add(new Tag(element.group(1) != null, element.group(2)));
            }
        }
        if (!whole) {
            throw new ProblemException(new Problem(
                    Problem.Code.INVALID,
                    "/" + name,
                    "that is neither * nor a list of entity tags",
                    "send the ETag as it came, with its quotes"));
        }
        return Optional.of(new EntityTagList(false, tags));
    }

    /** The tags that a strong comparison can match (RFC 9110, 8.8.3.2). */
    Stream<String> strong() {
        return tags.stream().filter(tag -> !tag.weak()).map(Tag::opaque);
    }

    /** The tags of a weak comparison: all. */
    Stream<String> weak() {
        return tags.stream().map(Tag::opaque);
    }
}
