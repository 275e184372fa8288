// SPDX-License-Identifier: Apache-2.0
package org.sextant.kit.app;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.List;

/** The text of an app's intents in the shell, made of the JSON in REST. */
public interface IntentText {

    /** The columns of a table of intents behind {@code id} and {@code state}. */
    List<String> columns();

    /** The cells of these columns; {@code view} is the JSON of one intent in REST. */
    List<String> row(JsonNode view);

    /** The lines of an intent between its state and its problems; {@code view} is its JSON in REST. */
    default String summary(JsonNode view) {
        return "";
    }

    /** The text of a plan; {@code explanation} is of {@link SrApp#explain}. */
    default String plan(JsonNode explanation) {
        return PlannedEntries.text(explanation);
    }
}
