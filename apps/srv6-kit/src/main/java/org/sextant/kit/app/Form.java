// SPDX-License-Identifier: Apache-2.0
package org.sextant.kit.app;

import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.List;
import java.util.function.Consumer;

/**
 * How an intent is said in the words of a shell command.
 *
 * @param words arguments in their order, and options
 * @param least how many arguments it takes at least
 * @param asking for them, where they are missing: {@code the two ends and the nodes, for example h11 h31 l1 l2 l3}
 * @param unsaid adds to the JSON what is meant where words are left out
 */
public record Form(List<Word> words, int least, String asking, Consumer<ObjectNode> unsaid) {
    public Form {
        words = List.copyOf(words);
    }

    /** A form in which what is left out has the intent's own defaults. */
    public Form(List<Word> words, int least, String asking) {
        this(words, least, asking, json -> {});
    }
}
