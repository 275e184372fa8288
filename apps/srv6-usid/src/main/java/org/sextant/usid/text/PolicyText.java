// SPDX-License-Identifier: Apache-2.0
package org.sextant.usid.text;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.ArrayList;
import java.util.List;
import org.sextant.core.text.Columns;
import org.sextant.core.text.Moments;
import org.sextant.kit.app.IntentText;

/** The columns of policies in tables of intents, from the JSON of REST. */
public final class PolicyText implements IntentText {
    @Override
    public List<String> columns() {
        return List.of("from", "to", "nodes", "bytes");
    }

    @Override
    public List<String> row(JsonNode view) {
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

    @Override
    public String summary(JsonNode view) {
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
        String terms = terms(
                policy, view.path("bindingSid").asText(), view.path("fallback").asText());
        return "  " + from(policy) + " to " + to(policy) + " by " + way(policy) + "\n"
                + (terms.isEmpty() ? "" : "  " + terms + "\n") + directions.text("  ") + wanted(view.path("wanted"))
                + LivenessText.of(view);
    }

    @Override
    public String plan(JsonNode explanation) {
        return PlanText.of(explanation);
    }

    private static String wanted(JsonNode wanted) {
        return wanted.isMissingNode()
                ? ""
                : "  " + (wanted.get("valid").booleanValue() ? "rerouted" : "no valid path") + " since "
                        + Moments.text(wanted.get("since").textValue()) + ", wanted "
                        + texts(wanted.get("down")).replace(",", ", ") + "\n";
    }

    /** The terms of a policy of candidate paths that differ from the defaults. */
    private static String terms(JsonNode policy, String binding, String fallback) {
        List<String> terms = new ArrayList<>();
        for (String term : List.of("color", "priority")) {
            if (policy.has(term)) {
                terms.add(term + " " + policy.get(term).asText());
            }
        }
        if (!binding.isEmpty()) {
            terms.add("binding SID " + binding);
        }
        if (policy.has("whenInvalid")) {
            terms.add("when invalid: " + policy.get("whenInvalid").textValue() + (fallback.isEmpty() ? "" : " (now)"));
        }
        return String.join(", ", terms);
    }

    private static String from(JsonNode policy) {
        return policy.get(policy.has("from") ? "from" : "headend").textValue();
    }

    private static String to(JsonNode policy) {
        if (policy.has("to")) {
            return policy.get("to").textValue();
        }
        return policy.has("steering") ? steering(policy.get("steering")) : "its binding SID";
    }

    private static String steering(JsonNode array) {
        List<String> texts = new ArrayList<>();
        array.forEach(one -> texts.add(one.isTextual() ? one.textValue() : flow(one)));
        return String.join(",", texts);
    }

    /** One cell of a table: {@code udp:fd00::/64:5000-5999>h31:443/dscp46}. */
    private static String flow(JsonNode flow) {
        return text(flow, "protocol", "", ":")
                + text(flow, "source", "", "")
                + text(flow, "sourcePort", ":", "")
                + ">"
                + text(flow, "destination", "", "")
                + text(flow, "destinationPort", ":", "")
                + text(flow, "dscp", "/dscp", "");
    }

    private static String text(JsonNode flow, String field, String before, String behind) {
        return flow.has(field) ? before + flow.get(field).asText() + behind : "";
    }

    /** The nodes of the host-to-host form; of the general form the hops, loose ones in parentheses, and the egress. */
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
        for (String kind : List.of("node", "link", "sid", "firewall", "policy")) {
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
