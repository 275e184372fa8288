// SPDX-License-Identifier: Apache-2.0
package org.sextant.northbound.history;

import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.SortedSet;
import org.jspecify.annotations.Nullable;
import org.sextant.core.Problem;
import org.sextant.core.ProblemException;
import org.sextant.core.history.History;
import org.sextant.core.json.Fields;

/**
 * The objects whose history is requested, in how many points.
 *
 * @param of names of things, each once
 * @param points 1 to {@link History#STEPS}
 */
public record HistoryQuery(List<String> of, int points) {
    public static final int MOST = 100;
    private static final int USUAL_POINTS = 60;

    public HistoryQuery {
        of = List.copyOf(of);
    }

    /**
     * Null means that nothing was given.
     *
     * @param of names between commas
     * @param kinds that there are
     * @throws ProblemException naming the parameter that cannot be read
     */
    public static HistoryQuery parse(@Nullable String of, @Nullable String points, SortedSet<String> kinds) {
        if (of == null || of.isBlank()) {
            throw wrong("of", "nothing is asked for", "name up to " + MOST + " things, such as of=link:l1/1-l2/1");
        }
        Set<String> names = new LinkedHashSet<>(List.of(of.split(",", -1)));
        if (names.size() > MOST) {
            throw wrong("of", names.size() + " things are asked for at once", "ask for " + MOST + " at most");
        }
        for (String name : names) {
            int colon = name.indexOf(':');
            if (colon < 1 || colon == name.length() - 1 || !kinds.contains(name.substring(0, colon))) {
                throw wrong(
                        "of",
                        "\"" + Fields.shorten(name) + "\" does not name a thing that is measured",
                        "write KIND:ID; the kinds are " + String.join(", ", kinds));
            }
        }
        return new HistoryQuery(List.copyOf(names), points == null ? USUAL_POINTS : number(points));
    }

    private static int number(String points) {
        int number = points.matches("[0-9]{1,4}") ? Integer.parseInt(points) : 0;
        if (number < 1 || number > History.STEPS) {
            throw wrong(
                    "points",
                    "\"" + Fields.shorten(points) + "\" is not a number from 1 to " + History.STEPS,
                    "leave it out for " + USUAL_POINTS);
        }
        return number;
    }

    private static ProblemException wrong(String name, String message, String remedy) {
        return new ProblemException(new Problem(Problem.Code.INVALID, "/" + name, message, remedy));
    }
}
