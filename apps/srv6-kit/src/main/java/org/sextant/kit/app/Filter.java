// SPDX-License-Identifier: Apache-2.0
package org.sextant.kit.app;

import java.util.function.BiPredicate;
import java.util.function.Function;
import org.sextant.core.net.Network;

/**
 * A filter of lists and removals: a parameter of REST, an option of commands.
 *
 * @param name of the parameter, and of the option behind {@code --}
 * @param label the placeholder of the value in the usage of commands; completion offers values of HOST and NODE
 * @param description of the parameter
 * @param help of the option, a sentence
 * @param said the words before the value in a sentence: {@code from} h11
 * @param identifies true if a request for one intent without its id requires it
 * @param matching returns the predicate of a value; throws a ProblemException if the text is no such value
 */
public record Filter<I>(
        String name,
        String label,
        String description,
        String help,
        String said,
        boolean identifies,
        Function<String, BiPredicate<I, Network>> matching) {}
