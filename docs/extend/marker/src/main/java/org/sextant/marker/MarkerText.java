// SPDX-License-Identifier: Apache-2.0
package org.sextant.marker;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.List;
import org.sextant.kit.app.IntentText;

/** Markers as a table. */
final class MarkerText implements IntentText {

    @Override
    public List<String> columns() {
        return List.of("node", "sid");
    }

    @Override
    public List<String> row(JsonNode view) {
        return List.of(view.at("/marker/node").textValue(), view.at("/marker/sid").textValue());
    }
}
