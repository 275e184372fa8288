// SPDX-License-Identifier: Apache-2.0
package org.sextant.usid.text;

import com.fasterxml.jackson.databind.JsonNode;
import org.sextant.core.text.Columns;

/** The result of probing a policy as a table, from the JSON of REST. */
public final class ProbeText {
    private ProbeText() {}

    public static String of(JsonNode view) {
        Columns table = new Columns().row("headend", "steers", "tried", "answered", "round trip min / mean / max");
        for (JsonNode one : view.get("tries")) {
            table.row(
                    one.get("headend").textValue(),
                    one.get("prefix").textValue(),
                    tried(one),
                    one.has("failure") ? "not sent" : one.get("received") + " of " + one.get("sent"),
                    one.has("failure") ? one.get("failure").textValue() : times(one));
        }
        return view.get("id").textValue() + "  " + view.get("state").textValue() + "\n" + table.text("  ");
    }

    private static String tried(JsonNode one) {
        return one.has("host")
                ? one.get("host").textValue()
                : one.has("destination") ? one.get("destination").textValue() : "";
    }

    private static String times(JsonNode one) {
        JsonNode times = one.get("roundTripMicros");
        return times == null ? "" : times.get("min") + " / " + times.get("mean") + " / " + times.get("max") + " µs";
    }
}
