// SPDX-License-Identifier: Apache-2.0
package org.sextant.usid.text;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.ArrayList;
import java.util.List;
import org.sextant.core.sid.DoubleReallocation;
import org.sextant.core.text.Columns;

/** The whole explanation of a plan as tables. */
public final class PlanText {
    private PlanText() {}

    /** @param explanation the response of {@code POST /srv6/policies?dryRun=true} */
    public static String of(JsonNode explanation) {
        StringBuilder text = new StringBuilder();
        if (explanation.has("candidatePaths")) {
            text.append("candidate paths\n")
                    .append(candidates(explanation.get("candidatePaths")))
                    .append('\n');
        }
        if (explanation.has("bindingSid")) {
            text.append("binding SID ")
                    .append(string(explanation, "bindingSid"))
                    .append("\n\n");
        }
        if (explanation.has("fallback")) {
            text.append("no candidate path is valid: ")
                    .append(fallback(explanation))
                    .append("\n\n");
        }
        explanation
                .get("directions")
                .forEach(direction -> text.append(direction(direction)).append('\n'));
        text.append("entries\n").append(entries(explanation.get("entries")));
        if (!explanation.get("warnings").isEmpty()) {
            text.append('\n');
        }
        explanation
                .get("warnings")
                .forEach(warning ->
                        text.append("warning: ").append(warning.textValue()).append('\n'));
        return text.toString();
    }

    private static String fallback(JsonNode explanation) {
        return explanation.get("fallback").textValue().equals("drop")
                ? "dropped at the headend is what the policy steers"
                : "kept is what was installed last";
    }

    private static String candidates(JsonNode candidates) {
        Columns table = new Columns().row("preference", "origin", "state", "cost", "why not");
        for (JsonNode one : candidates) {
            JsonNode cost = one.path("cost");
            table.row(
                    one.get("preference").asText(),
                    string(one, "origin"),
                    string(one, "state"),
                    cost.isMissingNode()
                            ? ""
                            : "igp " + cost.get("igp") + ", te " + cost.get("te") + ", hops " + cost.get("hops")
                                    + (cost.has("delayMicros") ? ", " + cost.get("delayMicros") + " µs" : ""),
                    join(one.get("why"), "; "));
        }
        return table.text("  ");
    }

    private static String direction(JsonNode json) {
        String weight = json.has("weight") ? ", weight " + json.get("weight") : "";
        return string(json, "from") + " -> " + string(json, "to") + " (" + string(json, "family") + weight + "): "
                + string(json, "headend") + " pushes with "
                + string(json, "encapsulation") + ", " + string(json, "egress") + " decapsulates\n"
                + facts(json) + "\n" + hops(json.get("hops"))
                + (json.has("branches") ? "\n" + branches(json.get("branches")) : "");
    }

    /** The verdicts of firewalls, and the next nodes of the packets. */
    private static String branches(JsonNode branches) {
        Columns table = new Columns().row("firewall at", "says", "by rule", "and packets go by");
        for (JsonNode branch : branches) {
            int more = branch.get("rules").size() - 1;
            List<String> nodes = branch.get("hops").findValuesAsText("node");
            table.row(
                    string(branch, "node"),
                    string(branch, "verdict"),
                    string(branch, "rule") + (more > 0 ? " and " + more + " more" : ""),
                    nodes.size() == 1
                            ? ""
                            : String.join(", ", nodes.stream().distinct().toList()));
        }
        return table.text("  ");
    }

    private static String facts(JsonNode json) {
        Columns facts = new Columns().row("steering", join(json.get("steering"), ", "));
        JsonNode containers = json.get("containers");
        for (int i = 0; i < containers.size(); i++) {
            facts.row(i == 0 ? "containers" : "", containers.get(i).textValue());
        }
        facts.row(
                "bytes",
                json.get("encapsulationBytes")
                        + (json.has("nestedBytes") ? ", in other policies " + json.get("nestedBytes") + " more" : "")
                        + "; plain SRv6 " + json.get("plainSrv6Bytes") + ", saves "
                        + json.get("savingPercent") + " %; CRH-16 "
                        + json.get("crh16").get("bytes") + ", CRH-32 "
                        + json.get("crh32").get("bytes"));
        JsonNode outer = json.get("outerHeader");
        facts.row(
                "SRH",
                outer.get("srhBytes").intValue() == 0
                        ? "none: one segment needs none"
                        : outer.get("srhHex").textValue());
        facts.row("MTU", mtu(json.get("mtu")));
        facts.row("reallocation", reallocation(json.get("doubleReallocation")));
        return facts.text("  ");
    }

    private static String mtu(JsonNode mtu) {
        String needed =
                "an inner packet of " + mtu.get("innerBytes") + " bytes needs " + mtu.get("neededForInnerBytes");
        String smallest =
                mtu.has("smallest") ? "; the smallest link takes " + mtu.get("smallest") : "; no link's MTU is known";
        List<String> lacking = new ArrayList<>();
        mtu.get("lackingLinks").forEach(link -> lacking.add(link.get("link").textValue()));
        return needed + smallest + (lacking.isEmpty() ? "" : "; too small: " + String.join(", ", lacking));
    }

    private static String reallocation(JsonNode verdict) {
        return verdict.get("twice").booleanValue()
                ? "twice at " + verdict.get("node").textValue() + " before Linux " + DoubleReallocation.FIXED_IN
                        + "; avoided by " + verdict.get("avoidedBy").textValue()
                : "at most once for " + verdict.get("headerBytes") + " bytes";
    }

    private static String hops(JsonNode hops) {
        Columns table = new Columns().row("node", "behavior", "destination address", "SL", "leaves by");
        for (JsonNode hop : hops) {
            String behavior = string(hop, "behavior") + (hop.has("advancesSrh") ? ", next segment" : "");
            String others = hop.has("otherLinks") ? " or " + join(hop.get("otherLinks"), ", ") : "";
            table.row(
                    string(hop, "node"),
                    behavior,
                    string(hop, "destinationAddress"),
                    hop.get("segmentsLeft").toString(),
                    (hop.has("link") ? string(hop, "link") : "") + others);
        }
        return table.text("  ");
    }

    private static String entries(JsonNode entries) {
        Columns table = new Columns();
        for (JsonNode entry : entries) {
            table.row(
                    string(entry, "node"),
                    string(entry, "table"),
                    string(entry, "match"),
                    entry.has("members")
                            ? members(entry.get("members"))
                            : string(entry, "action")
                                    + (entry.has("sidList") ? " sid_list " + entry.get("sidList") : "")
                                    + watch(entry));
        }
        return table.text("  ");
    }

    /** The probe list of a list and its backup. */
    private static String watch(JsonNode entry) {
        if (!entry.has("probe")) {
            return "";
        }
        long backup = entry.get("backup").longValue();
        return " by sid_list " + entry.get("probe") + " every " + entry.get("intervalMicros") + " µs, silent after "
                + entry.get("multiplier") + ", again after " + entry.get("holdDownMillis") + " ms"
                + (backup == 0 ? "" : ", else sid_list " + backup);
    }

    private static String members(JsonNode members) {
        List<String> texts = new ArrayList<>();
        members.forEach(member -> texts.add((members.size() > 1 ? member.get("weight") + " x " : "")
                + string(member, "action") + " " + join(member.get("segments"), " ")));
        return String.join("; ", texts);
    }

    private static String string(JsonNode json, String field) {
        return json.get(field).textValue();
    }

    private static String join(JsonNode array, String separator) {
        List<String> texts = new ArrayList<>();
        array.forEach(text -> texts.add(text.textValue()));
        return String.join(separator, texts);
    }
}
