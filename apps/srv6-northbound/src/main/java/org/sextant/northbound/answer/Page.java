// SPDX-License-Identifier: Apache-2.0
package org.sextant.northbound.answer;

import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;
import javax.ws.rs.core.Response;
import javax.ws.rs.core.UriInfo;
import org.sextant.core.Problem;
import org.sextant.core.ProblemException;
import org.sextant.core.json.Fields;

/**
 * A part of a long list: at most {@code limit} elements, those behind the one that {@code after} names, which need not
 * be there any more.
 *
 * @param limit 0 for no limit
 */
public record Page(int limit, Optional<String> after) {
    /** The longest page. */
    public static final int MAX = 100_000;

    /** The parameter of opaque positions. */
    static final String CURSOR = "cursor";

    public static final Page ALL = new Page(0, Optional.empty());

    /**
     * Null or empty means that nothing was given.
     *
     * @throws ProblemException if the limit is no number of the range
     */
    public static Page parse(String limit, String after) {
        return new Page(
                limit == null || limit.isEmpty() ? 0 : number(limit),
                Optional.ofNullable(after).filter(text -> !text.isEmpty()));
    }

    /**
     * As {@link #parse(String, String)}, of a request that may have a cursor instead of {@code after}.
     *
     * @param cursor empty: the first page
     * @throws ProblemException also if it is the cursor of another query
     */
    public static Page parse(String limit, String after, String cursor, UriInfo uri) {
        if (cursor == null) {
            return parse(limit, after);
        }
        if (after != null) {
            throw new ProblemException(new Problem(
                    Problem.Code.INVALID,
                    "/" + CURSOR,
                    "cursor and after both say where to go on",
                    "give one of them"));
        }
        return parse(limit, cursor.isEmpty() ? "" : Cursor.of(uri).name(cursor));
    }

    private static int number(String limit) {
        int value = limit.matches("[0-9]{1,6}") ? Integer.parseInt(limit) : 0;
        if (value < 1 || value > MAX) {
            throw new ProblemException(new Problem(
                    Problem.Code.INVALID,
                    "/limit",
                    "\"" + Fields.shorten(limit) + "\" is not a number from 1 to " + MAX,
                    "say how many you want at once"));
        }
        return value;
    }

    /** A page, and where the next one starts if there is one. */
    public record Part<T>(List<T> elements, Optional<String> next) {}

    /**
     * Takes the page out of a list.
     *
     * @param sorted by {@code order}
     * @param name the name of an element in {@code after}
     * @param order compares an element with a name in {@code after}
     */
    public <T> Part<T> of(List<T> sorted, Function<T, String> name, ElementOrder<T> order) {
        int from = after.map(text -> firstBehind(sorted, text, order)).orElse(0);
        int to = limit == 0 ? sorted.size() : (int) Math.min(sorted.size(), (long) from + limit);
        return new Part<>(
                sorted.subList(from, to),
                to < sorted.size() ? Optional.of(name.apply(sorted.get(to - 1))) : Optional.empty());
    }

    /** As {@link #of(List, Function, ElementOrder)}, of a list in the order of its names. */
    public <T> Part<T> of(List<T> sorted, Function<T, String> name) {
        return of(
                sorted,
                name,
                (element, text) -> Comparator.<String>naturalOrder().compare(name.apply(element), text));
    }

    /** Where an element stands to a name: less than 0 before it, 0 at it, more than 0 behind it. */
    @FunctionalInterface
    public interface ElementOrder<T> {
        int compare(T element, String name);
    }

    private static <T> int firstBehind(List<T> sorted, String name, ElementOrder<T> order) {
        int low = 0;
        int high = sorted.size();
        while (low < high) {
            int middle = (low + high) >>> 1;
            if (order.compare(sorted.get(middle), name) > 0) {
                high = middle;
            } else {
                low = middle + 1;
            }
        }
        return low;
    }

    /** Says in the header Link (RFC 8288) where the next page is: by a cursor if the request has one, else by {@code after}. */
    public Response.ResponseBuilder link(Response.ResponseBuilder answer, UriInfo uri, Optional<String> next) {
        boolean opaque = uri.getQueryParameters().containsKey(CURSOR);
        String parameter = opaque ? CURSOR : "after";
        next.map(name -> opaque ? Cursor.of(uri).behind(name) : name)
                .ifPresent(position -> answer.link(
                        uri.getRequestUriBuilder()
                                .replaceQueryParam(parameter, "{position}")
                                .build(position),
                        "next"));
        return answer;
    }
}
