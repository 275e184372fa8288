// SPDX-License-Identifier: Apache-2.0
package org.sextant.northbound.view;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import org.sextant.core.intent.WhatIfOutcome;
import org.sextant.core.intent.WhatIfResult;

/** The results that intents would have, as REST and CLI show them (docs/reference/protection.md). */
final class WhatIfView {
    /** If there are more, the worst are listed; all are counted. */
    private static final int LISTED = 1000;

    private WhatIfView() {}

    static ObjectNode of(WhatIfResult foresight) {
        ObjectNode view = JsonNodeFactory.instance.objectNode().put("untouched", foresight.untouched());
        for (WhatIfOutcome.Fate fate : WhatIfOutcome.Fate.values()) {
            view.put(
                    word(fate),
                    foresight.changed().stream()
                            .filter(one -> one.fate() == fate)
                            .count());
        }
        ArrayNode changes = view.putArray("changes");
        foresight.changed().stream().limit(LISTED).forEach(one -> changes.add(json(one)));
        return view;
    }

    private static ObjectNode json(WhatIfOutcome one) {
        ObjectNode view = JsonNodeFactory.instance
                .objectNode()
                .put("intent", one.intent().toString())
                .put("becomes", word(one.fate()))
                .put("entries", one.entries());
        ArrayNode before = view.putArray("linksBefore");
        one.before().forEach(before::add);
        ArrayNode after = view.putArray("linksAfter");
        one.after().forEach(after::add);
        ArrayNode why = view.putArray("why");
        one.problems().forEach(problem -> why.add(problem.message()));
        one.warnings().forEach(why::add);
        return view;
    }

    private static String word(WhatIfOutcome.Fate fate) {
        return switch (fate) {
            case BROKEN -> "broken";
            case FALLS_BACK -> "fallsBack";
            case MOVED -> "moved";
            case MENDED -> "mended";
        };
    }
}
