// SPDX-License-Identifier: Apache-2.0
package org.sextant.usid.text;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.ArrayList;
import java.util.List;
import org.sextant.core.text.Columns;
import org.sextant.core.text.Moments;

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
            table.row(
                    view.get("id").textValue(),
                    view.get("state").textValue(),
                    from(policy),
                    to(policy),
                    way(policy),
                    directions.isEmpty()
                            ? ""
                            : directions.get(0).get("encapsulationBytes").toString());
        }
        return table.text("");
    }

    /** One policy with all that stands against it. */
    public static String of(JsonNode view) {
        JsonNode policy = view.get("policy");
        StringBuilder text = new StringBuilder(view.get("id").textValue() + "  "
                + view.get("state").textValue() + " since "
                + Moments.text(view.get("since").textValue()) + "\n");
        text.append("  ")
                .append(from(policy))
                .append(" to ")
                .append(to(policy))
                .append(" by ")
                .append(way(policy));
        text.append('\n');
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

    /** What became of a list. */
    public static String ofList(JsonNode receipt) {
        StringBuilder text = new StringBuilder();
        text.append(receipt.get("created"))
                .append(" created, ")
                .append(receipt.get("unchangedOrReplaced"))
                .append(" unchanged or replaced, ")
                .append(receipt.get("pending"))
                .append(" not (fully) installed yet, ")
                .append(receipt.get("rejected"))
                .append(" rejected\n");
        for (JsonNode item : receipt.get("items")) {
            item.path("errors")
                    .forEach(error -> text.append("  ")
                            .append(error.get("field").textValue())
                            .append(": ")
                            .append(error.get("message").textValue())
                            .append("; ")
                            .append(error.get("remedy").textValue())
                            .append('\n'));
        }
        int leftOut = receipt.get("errorsLeftOut").intValue();
        return leftOut == 0 ? text.toString() : text + "  and " + leftOut + " more that were rejected\n";
    }

    private static String from(JsonNode policy) {
        return policy.get(policy.has("from") ? "from" : "headend").textValue();
    }

    private static String to(JsonNode policy) {
        return policy.has("to") ? policy.get("to").textValue() : texts(policy.get("steering"));
    }

    /** The nodes of the paper's form; of the general form the hops, loose ones in parentheses, and the egress. */
    private static String way(JsonNode policy) {
        if (policy.has("nodes")) {
            return texts(policy.get("nodes"));
        }
        String egress = policy.has("egress") ? ",(" + policy.get("egress").textValue() + ")" : "";
        if (policy.has("hops")) {
            return hops(policy.get("hops")) + egress;
        }
        List<String> lists = new ArrayList<>();
        policy.get("segmentLists")
                .forEach(list -> lists.add(list.get("weight") + "x(" + hops(list.get("hops")) + egress + ")"));
        return String.join(" ", lists);
    }

    private static String hops(JsonNode hops) {
        List<String> texts = new ArrayList<>();
        hops.forEach(hop -> texts.add(hop.get("loose").booleanValue() ? "(" + hop(hop) + ")" : hop(hop)));
        return String.join(",", texts);
    }

    private static String hop(JsonNode hop) {
        for (String kind : List.of("node", "link", "sid")) {
            if (hop.has(kind)) {
                return hop.get(kind).textValue();
            }
        }
        return hop.get("block").textValue() + " " + texts(hop.get("usids")).replace(',', ' ');
    }

    private static String texts(JsonNode array) {
        List<String> texts = new ArrayList<>();
        array.forEach(text -> texts.add(text.textValue()));
        return String.join(",", texts);
    }
}
