// SPDX-License-Identifier: Apache-2.0
package org.sextant.kit.app;

import java.util.function.BiPredicate;
import java.util.function.Function;
import org.sextant.core.net.Network;

/**
 * Something by which a list and a removal choose: a parameter of REST, an option of commands.
 *
 * @param name of the parameter, and of the option behind {@code --}
 * @param label what stands for the value in the usage of commands; Tab knows HOST and NODE
 * @param description of the parameter
 * @param help of the option, a sentence
 * @param said what leads to the value in a sentence: {@code from} h11
 * @param identifies whether it has to be given where one intent is meant that has no id in the request
 * @param matching what a value chooses; throws a ProblemException if the text is no such value
 */
public record Filter<I>(
        String name,
        String label,
        String description,
        String help,
        String said,
        boolean identifies,
        Function<String, BiPredicate<I, Network>> matching) {}
