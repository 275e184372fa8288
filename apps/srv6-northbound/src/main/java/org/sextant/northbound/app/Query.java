// SPDX-License-Identifier: Apache-2.0
package org.sextant.northbound.app;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.BiPredicate;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.sextant.core.Problem;
import org.sextant.core.Problem.Code;
import org.sextant.core.ProblemException;
import org.sextant.core.intent.IntentState;
import org.sextant.core.intent.IntentStatus;
import org.sextant.core.net.Network;
import org.sextant.kit.app.Filter;
import org.sextant.kit.app.SrApp;

/**
 * Which intents are asked for.
 *
 * @param given the values of the filters that were given, in the order in which the app has them
 */
public record Query<I>(List<Given<I>> given) {

    /** A filter with its value, and the intents that it chooses. */
    record Given<I>(Filter<I> filter, String value, BiPredicate<I, Network> matching) {}

    /**
     * Null or empty means that a filter was not given.
     *
     * @param values by the filter's name
     * @throws ProblemException naming the filter whose value is not valid
     */
    public static <I> Query<I> parse(SrApp<I> app, Function<String, String> values) {
        List<Given<I>> given = new ArrayList<>();
        for (Filter<I> filter : app.filters()) {
            String value = values.apply(filter.name());
            if (value != null && !value.isEmpty()) {
                given.add(new Given<>(filter, value, filter.matching().apply(value)));
            }
        }
        return new Query<>(given);
    }

    /** True if no filter was given: then every intent is meant. */
    public boolean isEmpty() {
        return given.isEmpty();
    }

    /** All that match, by id; deleted ones of which nodes may have entries included. */
    public List<IntentStatus<I>> all(SrApp<I> app) {
        if (given.isEmpty()) {
            return app.intents().list();
        }
        Network network = app.intents().network();
        return app.intents()
                .list(intent -> given.stream().allMatch(one -> one.matching().test(intent, network)));
    }

    /**
     * The one that matches.
     *
     * @throws ProblemException if a filter that identifies is not given, if there is none, or if there are several
     */
    public IntentStatus<I> only(SrApp<I> app) {
        requireIdentity(app);
        List<IntentStatus<I>> all = all(app);
        List<IntentStatus<I>> present = all.stream()
                .filter(status -> status.state() != IntentState.REMOVING)
                .toList();
        List<IntentStatus<I>> found = present.isEmpty() ? all : present;
        if (found.size() != 1) {
            throw found.isEmpty() ? none(app) : several(app, found);
        }
        return found.get(0);
    }

    private void requireIdentity(SrApp<I> app) {
        List<String> identity = identity(app);
        Map<String, String> values =
                given.stream().collect(Collectors.toMap(one -> one.filter().name(), Given::value));
        List<String> missing =
                identity.stream().filter(name -> !values.containsKey(name)).toList();
        if (identity.isEmpty() || !missing.isEmpty()) {
            throw new ProblemException(new Problem(
                    Code.INVALID,
                    missing.isEmpty() ? "/ids" : "/" + missing.get(0),
                    "which " + app.words().one() + " is meant?"
                            + (missing.isEmpty() ? "" : " " + missing.get(0) + " is missing"),
                    "give " + (identity.isEmpty() ? "ids" : String.join(" and ", identity)) + ", or the "
                            + app.words().one() + "'s id"));
        }
    }

    private static List<String> identity(SrApp<?> app) {
        return app.filters().stream()
                .filter(Filter::identifies)
                .map(Filter::name)
                .toList();
    }

    private ProblemException none(SrApp<I> app) {
        String which = given.stream()
                .filter(one -> one.filter().identifies())
                .map(one -> " " + one.filter().said() + " " + one.value())
                .collect(Collectors.joining());
        return new ProblemException(new Problem(
                Code.UNKNOWN,
                first(),
                "there is no " + app.words().called() + which,
                "list the " + app.words().many() + " to see what there is"));
    }

    private ProblemException several(SrApp<I> app, List<IntentStatus<I>> found) {
        String more = app.filters().stream()
                .filter(filter -> !filter.identifies())
                .map(filter -> filter.name() + " too, or ")
                .collect(Collectors.joining());
        return new ProblemException(new Problem(
                Code.CONFLICT,
                first(),
                "several " + app.words().many() + " match: "
                        + found.stream().map(IntentStatus::id).collect(Collectors.joining(", ")),
                "give " + more + "the " + app.words().one() + "'s id"));
    }

    private String first() {
        return "/" + given.get(0).filter().name();
    }
}
