// SPDX-License-Identifier: Apache-2.0
package org.sextant.kit;

import java.util.ArrayList;
import java.util.List;
import org.sextant.core.Problem;
import org.sextant.core.Problem.Code;

/** Collects the problems and the warnings of an intent while it compiles. */
public final class Findings {
    private final List<Problem> problems = new ArrayList<>();
    private final List<String> warnings = new ArrayList<>();

    public void invalid(String field, String message, String remedy) {
        add(Code.INVALID, field, message, remedy);
    }

    public void unknown(String field, String message, String remedy) {
        add(Code.UNKNOWN, field, message, remedy);
    }

    public void conflict(String field, String message, String remedy) {
        add(Code.CONFLICT, field, message, remedy);
    }

    public void unfeasible(String field, String message, String remedy) {
        add(Code.UNFEASIBLE, field, message, remedy);
    }

    /** Adds problems that another check found. */
    public void add(List<Problem> found) {
        found.forEach(one -> add(one.code(), one.field(), one.message(), one.remedy()));
    }

    private void add(Code code, String field, String message, String remedy) {
        Problem problem = new Problem(code, field, message, remedy);
        if (!problems.contains(problem)) {
            problems.add(problem);
        }
    }

    /** Plans keep their warnings, so equal ones of many policies share one instance. */
    public void warn(String warning) {
        if (!warnings.contains(warning)) {
            warnings.add(warning.intern());
        }
    }

    public boolean clean() {
        return problems.isEmpty();
    }

    public int count() {
        return problems.size();
    }

    public List<Problem> problems() {
        return problems;
    }

    public List<String> warnings() {
        return warnings;
    }
}
