// SPDX-License-Identifier: Apache-2.0
package org.sextant.kit.app;

import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.List;
import java.util.function.Consumer;

/**
 * The arguments and options of a shell command that describe an intent.
 *
 * @param words arguments in their order, and options
 * @param least the least number of arguments
 * @param asking names the arguments where they are missing:
 *     {@code the two ends and the nodes, for example h11 h31 l1 l2 l3}
 * @param unsaid adds the defaults of omitted words to the JSON
 */
public record Form(List<Word> words, int least, String asking, Consumer<ObjectNode> unsaid) {
    public Form {
        words = List.copyOf(words);
    }

    /** A form in which omitted words have the intent's own defaults. */
    public Form(List<Word> words, int least, String asking) {
        this(words, least, asking, json -> {});
    }
}
