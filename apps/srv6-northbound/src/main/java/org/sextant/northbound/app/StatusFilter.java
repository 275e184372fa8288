// SPDX-License-Identifier: Apache-2.0
package org.sextant.northbound.app;

import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.stream.Stream;
import org.sextant.core.Problem;
import org.sextant.core.ProblemException;
import org.sextant.core.intent.IntentState;
import org.sextant.core.intent.IntentStatus;
import org.sextant.core.json.Fields;
import org.sextant.kit.app.SrApp;

/**
 * Filters that the lists of every app have. An app with a filter of the same name keeps its own.
 *
 * @param state the state of the intent
 * @param node a node that the intent has entries on, or should have
 * @param text a part of the id or of the document, in lower case
 * @param labels a selector of the intent's labels
 */
public record StatusFilter(
        Optional<IntentState> state, Optional<String> node, Optional<String> text, Optional<LabelSelector> labels) {
    private static final String NODE = "node";

    /**
     * Null or empty means that a filter was not given.
     *
     * @throws ProblemException if there is no such state, or the selector of labels is not valid
     */
    public static StatusFilter parse(SrApp<?> app, String state, String node, String text, String label) {
        boolean own = app.filters().stream().anyMatch(filter -> filter.name().equals(NODE));
        return new StatusFilter(
                given(state).map(StatusFilter::state),
                own ? Optional.empty() : given(node),
                given(text).map(part -> part.toLowerCase(Locale.ROOT)),
                given(label).map(LabelSelector::parse));
    }

    private static Optional<String> given(String value) {
        return Optional.ofNullable(value).filter(text -> !text.isEmpty());
    }

    private static IntentState state(String word) {
        return Stream.of(IntentState.values())
                .filter(state -> state.name().equalsIgnoreCase(word))
                .findFirst()
                .orElseThrow(() -> new ProblemException(new Problem(
                        Problem.Code.INVALID,
                        "/state",
                        "there is no state \"" + Fields.shorten(word) + "\"",
                        "take one of " + List.of(IntentState.values()))));
    }

    /** The statuses that pass. */
    public <I> List<IntentStatus<I>> of(SrApp<I> app, List<IntentStatus<I>> statuses) {
        return state.isEmpty() && node.isEmpty() && text.isEmpty() && labels.isEmpty()
                ? statuses
                : statuses.stream().filter(status -> passes(app, status)).toList();
    }

    private <I> boolean passes(SrApp<I> app, IntentStatus<I> status) {
        return state.filter(wanted -> wanted != status.state()).isEmpty()
                && node.filter(wanted -> !isOn(status, wanted)).isEmpty()
                && text.filter(part -> !contains(app, status, part)).isEmpty()
                && labels.filter(one -> !one.matches(app.encode(status.intent().intent())))
                        .isEmpty();
    }

    private static boolean isOn(IntentStatus<?> status, String node) {
        return status.plan().entries().stream().anyMatch(entry -> entry.node().equals(node))
                || status.troubles().stream().anyMatch(entry -> entry.node().equals(node));
    }

    private static <I> boolean contains(SrApp<I> app, IntentStatus<I> status, String part) {
        String document = app.encode(status.intent().intent()).toString();
        return (status.id() + "\n" + document).toLowerCase(Locale.ROOT).contains(part);
    }
}
