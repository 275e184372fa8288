// SPDX-License-Identifier: Apache-2.0
package org.sextant.usid.text;

import com.fasterxml.jackson.databind.JsonNode;
import org.sextant.core.text.Columns;

/** The liveness of a policy's candidate paths by its headend, as a table. */
final class LivenessText {
    private LivenessText() {}

    /** Empty without liveness detection. */
    static String of(JsonNode view) {
        JsonNode paths = view.path("candidatePaths");
        if (paths.isEmpty()) {
            return "";
        }
        Columns table =
                new Columns().row("preference", "liveness", "", "since", "lost of sent", "round trip min / mean / max");
        for (JsonNode path : paths) {
            JsonNode liveness = path.get("liveness");
            JsonNode delay = liveness.path("delayMicros");
            table.row(
                    path.get("preference").asText(),
                    liveness.get("state").textValue(),
                    path.get("inUse").booleanValue() ? "in use" : "",
                    liveness.path("since").asText(),
                    liveness.get("lost") + " of " + liveness.get("sent"),
                    delay.isMissingNode()
                            ? ""
                            : delay.get("min") + " / " + delay.get("avg") + " / " + delay.get("max") + " µs, jitter "
                                    + liveness.get("jitterMicros") + " µs");
        }
        return table.text("  ");
    }
}
