// SPDX-License-Identifier: Apache-2.0
package org.sextant.usid.text;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.ArrayList;
import java.util.List;

/** Stored policies as tables, from the JSON that REST shows. */
public final class PolicyText {
    private PolicyText() {}

    /** One line per policy. */
    public static String list(JsonNode policies) {
        if (policies.isEmpty()) {
            return "no policies\n";
        }
        Columns table = new Columns().row("id", "state", "from", "to", "nodes", "bytes");
        for (JsonNode view : policies) {
            JsonNode policy = view.get("policy");
            JsonNode directions = view.get("directions");
            boolean paper = policy.has("from");
            table.row(
                    view.get("id").textValue(),
                    view.get("state").textValue(),
                    policy.get(paper ? "from" : "headend").textValue(),
                    paper ? policy.get("to").textValue() : texts(policy.get("steering")),
                    paper ? texts(policy.get("nodes")) : "(general form)",
                    directions.isEmpty()
                            ? ""
                            : directions.get(0).get("encapsulationBytes").toString());
        }
        return table.text("");
    }

    /** One policy with all that stands against it. */
    public static String of(JsonNode view) {
        StringBuilder text = new StringBuilder(view.get("id").textValue() + "  "
                + view.get("state").textValue() + " since " + view.get("since").textValue() + "\n");
        Columns directions = new Columns();
        for (JsonNode direction : view.get("directions")) {
            directions.row(
                    direction.get("family").textValue(),
                    direction.get("headend").textValue() + " -> "
                            + direction.get("egress").textValue(),
                    direction.get("encapsulationBytes") + " bytes",
                    texts(direction.get("containers")).replace(",", " "));
        }
        text.append(directions.text("  "));
        view.get("errors")
                .forEach(error -> text.append("  problem: ")
                        .append(error.get("field").textValue())
                        .append(' ')
                        .append(error.get("message").textValue())
                        .append("; ")
                        .append(error.get("remedy").textValue())
                        .append('\n'));
        view.get("warnings")
                .forEach(warning ->
                        text.append("  warning: ").append(warning.textValue()).append('\n'));
        view.get("troubles")
                .forEach(trouble -> text.append("  ")
                        .append(trouble.get("state").textValue())
                        .append(": ")
                        .append(trouble.get("node").textValue())
                        .append(' ')
                        .append(trouble.get("table").textValue())
                        .append(' ')
                        .append(trouble.get("match").textValue())
                        .append(
                                trouble.has("reason")
                                        ? ": " + trouble.get("reason").textValue()
                                        : "")
                        .append('\n'));
        return text.toString();
    }

    private static String texts(JsonNode array) {
        List<String> texts = new ArrayList<>();
        array.forEach(text -> texts.add(text.textValue()));
        return String.join(",", texts);
    }
}
