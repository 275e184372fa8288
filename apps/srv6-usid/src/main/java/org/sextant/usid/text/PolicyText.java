// SPDX-License-Identifier: Apache-2.0
package org.sextant.usid.text;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.ArrayList;
import java.util.List;
import org.sextant.core.text.Columns;

/** What is special about policies in tables of intents, from the JSON that REST shows. */
public final class PolicyText {
    public static final List<String> COLUMNS = List.of("from", "to", "nodes", "bytes");

    private PolicyText() {}

    /** The cells of {@link #COLUMNS}. */
    public static List<String> row(JsonNode view) {
        JsonNode policy = view.get("policy");
        JsonNode directions = view.get("directions");
        return List.of(
                from(policy),
                to(policy),
                way(policy),
                directions.isEmpty()
                        ? ""
                        : directions.get(0).get("encapsulationBytes").toString());
    }

    /** The way of one policy, and its directions. */
    public static String summary(JsonNode view) {
        JsonNode policy = view.get("policy");
        Columns directions = new Columns();
        for (JsonNode direction : view.get("directions")) {
            directions.row(
                    direction.get("family").textValue(),
                    direction.get("headend").textValue() + " -> "
                            + direction.get("egress").textValue(),
                    direction.get("encapsulationBytes") + " bytes",
                    texts(direction.get("containers")).replace(",", " "));
        }
        return "  " + from(policy) + " to " + to(policy) + " by " + way(policy) + "\n" + directions.text("  ");
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
        if (policy.has("candidatePaths")) {
            int paths = policy.get("candidatePaths").size();
            return paths + (paths == 1 ? " candidate path" : " candidate paths") + " to "
                    + policy.get("endpoint").textValue();
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
        for (String kind : List.of("node", "link", "sid", "firewall")) {
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
