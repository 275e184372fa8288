// SPDX-License-Identifier: Apache-2.0
package org.sextant.kit.app;

import java.util.List;
import org.sextant.core.Problem;
import org.sextant.core.intent.IntentRequest;

/**
 * An intent of a list of several kinds, before its admission.
 *
 * @param problems the reasons of its app for refusing it; the engine has further ones
 */
public record Candidate<I>(IntentRequest<I> request, List<Problem> problems) {
    public Candidate {
        problems = List.copyOf(problems);
    }
}
