// SPDX-License-Identifier: Apache-2.0
package org.sextant.kit.app;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.List;

/** The intents of an app as a person reads them in the shell, made of the JSON that REST shows. */
public interface IntentText {

    /** The columns of a table of intents behind {@code id} and {@code state}. */
    List<String> columns();

    /** The cells of these columns; {@code view} is as REST shows one. */
    List<String> row(JsonNode view);

    /** Lines of an intent that is shown, between its state and what stands against it; {@code view} is as REST shows it. */
    default String summary(JsonNode view) {
        return "";
    }

    /** What a plan does; {@code explanation} is of {@link SrApp#explain}. */
    default String plan(JsonNode explanation) {
        return PlannedEntries.text(explanation);
    }
}
