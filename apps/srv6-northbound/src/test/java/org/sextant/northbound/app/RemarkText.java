// SPDX-License-Identifier: Apache-2.0
package org.sextant.northbound.app;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.List;
import org.sextant.kit.app.IntentText;

/** Remarks as a table. */
final class RemarkText implements IntentText {

    @Override
    public List<String> columns() {
        return List.of("text");
    }

    @Override
    public List<String> row(JsonNode view) {
        return List.of(view.at("/remark/text").textValue());
    }
}
