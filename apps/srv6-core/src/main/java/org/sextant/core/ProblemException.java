// SPDX-License-Identifier: Apache-2.0
package org.sextant.core;

import java.util.List;
import java.util.stream.Collectors;

/** Carries the problems of an input out of a parser or a service call; REST and CLI turn it into their own form. */
public class ProblemException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    private final transient List<Problem> problems;

    public ProblemException(List<Problem> problems) {
        super(problems.stream().map(Problem::toString).collect(Collectors.joining("; ")));
        if (problems.isEmpty()) {
            throw new IllegalArgumentException("a problem exception needs a problem");
        }
        this.problems = List.copyOf(problems);
    }

    public ProblemException(Problem problem) {
        this(List.of(problem));
    }

    public List<Problem> problems() {
        return problems;
    }
}
