// SPDX-License-Identifier: Apache-2.0
package org.sextant.core.text;

import java.util.List;
import org.sextant.core.Problem;

/** Problems as sentences. */
public final class ProblemText {
    private ProblemText() {}

    /** For the author of a document: the place, the fault, and the remedy. */
    public static String inDocument(List<Problem> problems) {
        StringBuilder text = new StringBuilder();
        problems.forEach(problem -> text.append(problem.field().isEmpty() ? "" : problem.field() + ": ")
                .append(sentences(problem)));
        return text.toString();
    }

    /** For users that typed a command and have no document: the fault, and the remedy. */
    public static String ofWords(List<Problem> problems) {
        StringBuilder text = new StringBuilder();
        problems.forEach(problem -> text.append(sentences(problem)));
        return text.toString();
    }

    private static String sentences(Problem problem) {
        return problem.message() + (problem.remedy().isEmpty() ? "" : "\n    " + problem.remedy()) + "\n";
    }
}
