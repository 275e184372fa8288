// SPDX-License-Identifier: Apache-2.0
package org.sextant.northbound.answer;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.Set;
import java.util.TreeMap;
import javax.ws.rs.core.UriInfo;
import org.sextant.core.Problem;
import org.sextant.core.ProblemException;
import org.sextant.core.intent.Digest;

/**
 * Positions in the result of a query, as opaque words: the name of the last element that was returned, which need not exist any
 * more, and a digest of the query, as the position means nothing in another one.
 *
 * @param query digest of the address and of the filters
 */
record Cursor(long query) {
    /** Parameters that say which part of the result is meant. */
    private static final Set<String> PAGING = Set.of("limit", "after", Page.CURSOR);

    /** The cursors of a request's query. */
    static Cursor of(UriInfo uri) {
        TreeMap<String, Object> filters = new TreeMap<>(uri.getQueryParameters());
        filters.keySet().removeAll(PAGING);
        return new Cursor(Digest.of(uri.getPath() + filters).high());
    }

    /** The word for the position behind an element. */
    String behind(String name) {
        byte[] text = name.getBytes(StandardCharsets.UTF_8);
        byte[] word = ByteBuffer.allocate(Long.BYTES + text.length)
                .putLong(query)
                .put(text)
                .array();
        return Base64.getUrlEncoder().withoutPadding().encodeToString(word);
    }

    /**
     * The element that a word stands behind.
     *
     * @throws ProblemException if it is no cursor, or one of another query
     */
    String name(String word) {
        ByteBuffer bytes = ByteBuffer.wrap(decoded(word));
        if (bytes.remaining() <= Long.BYTES) {
            throw invalid("that is not a cursor");
        }
        if (bytes.getLong() != query) {
            throw invalid("that is the cursor of another query");
        }
        return StandardCharsets.UTF_8.decode(bytes).toString();
    }

    private static byte[] decoded(String word) {
        try {
            return Base64.getUrlDecoder().decode(word);
        } catch (IllegalArgumentException e) {
            throw invalid("that is not a cursor");
        }
    }

    private static ProblemException invalid(String message) {
        return new ProblemException(new Problem(
                Problem.Code.INVALID,
                "/" + Page.CURSOR,
                message,
                "take it from the header Link of the same query, or begin with an empty one"));
    }
}
