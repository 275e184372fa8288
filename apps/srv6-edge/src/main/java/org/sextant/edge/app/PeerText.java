// SPDX-License-Identifier: Apache-2.0
package org.sextant.edge.app;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.List;
import org.sextant.kit.app.IntentText;

/** Peers as a table. */
final class PeerText implements IntentText {

    @Override
    public List<String> columns() {
        return List.of("ports", "sources");
    }

    @Override
    public List<String> row(JsonNode view) {
        return List.of(EdgeText.joined(view.at("/peer/ports")), EdgeText.joined(view.at("/peer/sources")));
    }

    @Override
    public String summary(JsonNode view) {
        return "  let in at " + EdgeText.joined(view.at("/peer/ports")) + " from "
                + EdgeText.joined(view.at("/peer/sources")) + "\n";
    }
}
