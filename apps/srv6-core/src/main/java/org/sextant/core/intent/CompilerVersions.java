// SPDX-License-Identifier: Apache-2.0
package org.sextant.core.intent;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.util.Optional;

/**
 * The versions of plans that a release can compile. A release raises {@code newest} when it compiles the same intent in
 * the same network to other entries, and keeps the older plan as long as {@code oldest} includes it.
 *
 * @param oldest 1 or more
 * @param newest at least {@code oldest}
 */
public record CompilerVersions(int oldest, int newest) {
    /** A release without compiler versions. */
    public static final CompilerVersions FIRST = new CompilerVersions(1, 1);

    /** This release. */
    public static final CompilerVersions CURRENT = FIRST;

    private static final ObjectMapper MAPPER = new ObjectMapper();
    private static final String OLDEST = "oldest";
    private static final String NEWEST = "newest";

    public CompilerVersions {
        if (oldest < 1 || newest < oldest) {
            throw new IllegalArgumentException(
                    "compiler versions are 1 or more, the oldest first: " + oldest + " to " + newest);
        }
    }

    public boolean contains(int version) {
        return oldest <= version && version <= newest;
    }

    /** The version of this range that is nearest to another. */
    public int nearest(int version) {
        return Math.max(oldest, Math.min(newest, version));
    }

    public String encode() {
        return MAPPER.createObjectNode().put(OLDEST, oldest).put(NEWEST, newest).toString();
    }

    /** Parses {@link #encode}'s text; empty if it has another form. */
    public static Optional<CompilerVersions> parse(String text) {
        try {
            JsonNode json = MAPPER.readTree(text);
            return json.path(OLDEST).isInt() && json.path(NEWEST).isInt()
                    ? Optional.of(new CompilerVersions(
                            json.get(OLDEST).intValue(), json.get(NEWEST).intValue()))
                    : Optional.empty();
        } catch (JsonProcessingException | IllegalArgumentException e) {
            return Optional.empty();
        }
    }

    @Override
    public String toString() {
        return oldest == newest ? Integer.toString(oldest) : oldest + " to " + newest;
    }
}
