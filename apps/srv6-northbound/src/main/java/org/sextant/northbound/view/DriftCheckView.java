// SPDX-License-Identifier: Apache-2.0
package org.sextant.northbound.view;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import org.sextant.core.intent.DriftReport;

/** The findings and repairs of a drift check. */
public final class DriftCheckView {
    private DriftCheckView() {}

    public static ObjectNode of(DriftReport report) {
        ObjectNode view = JsonNodeFactory.instance.objectNode();
        view.put("repairs", report.repairs());
        ArrayNode drift = view.putArray("drift");
        report.drift()
                .forEach((node, rows) -> rows.forEach(row -> drift.addObject()
                        .put("node", node)
                        .put("kind", row.kind().name())
                        .put("table", row.key().table())
                        .put("match", row.key().match())));
        ArrayNode unread = view.putArray("unread");
        report.unread()
                .forEach((node, reason) -> unread.addObject().put("node", node).put("reason", reason));
        return view;
    }
}
