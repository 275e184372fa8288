// SPDX-License-Identifier: Apache-2.0
package org.sextant.sera.plan;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import org.sextant.core.intent.NumberedIntent;
import org.sextant.sera.Firewall;
import org.sextant.sera.Rule;
import org.sextant.sera.Versioned;

/** The explanation of a firewall's plan. */
public final class Explanation {
    private static final JsonNodeFactory NODES = JsonNodeFactory.instance;

    private Explanation() {}

    static ObjectNode of(NumberedIntent<Versioned> intent, PlannedFirewall planned) {
        ObjectNode json = NODES.objectNode()
                .put("node", planned.node())
                .put("sid", planned.sid().toString())
                .put("instance", planned.instance())
                .put("version", intent.intent().version())
                .put("ruleSet", planned.rules().number())
                .put("rows", planned.rules().rows().size());
        Firewall firewall = intent.intent().firewall();
        Map<Integer, Long> rows = planned.rules().rows().stream()
                .collect(Collectors.groupingBy(row -> Rules.index(row.priority()), Collectors.counting()));
        ArrayNode rules = json.putArray("rules");
        for (int i = 0; i < firewall.rules().size(); i++) {
            Rule rule = firewall.rules().get(i);
            rules.addObject()
                    .put("rule", i)
                    .put("name", rule.called(i))
                    .put("action", rule.verb().spelling())
                    .put("rows", rows.getOrDefault(i, 0L));
        }
        json.set("findings", findings(firewall));
        return json;
    }

    /** The findings about the rules, with their fields. */
    public static ArrayNode findings(Firewall firewall) {
        ArrayNode json = NODES.arrayNode();
        for (RuleFinding finding : RuleFindings.of(Rules.asWritten(firewall))) {
            ObjectNode one = json.addObject()
                    .put("code", finding.code().name())
                    .put("field", "/rules/" + finding.rule())
                    .put("rule", firewall.rules().get(finding.rule()).called(finding.rule()));
            ArrayNode by = one.putArray("by");
            finding.by().forEach(index -> by.add(called(firewall, index)));
            one.put("message", message(finding, names(firewall, finding.by())));
        }
        return json;
    }

    private static String called(Firewall firewall, int index) {
        return index < 0 ? Rules.DEFAULT_RULE : firewall.rules().get(index).called(index);
    }

    private static String names(Firewall firewall, List<Integer> indexes) {
        String names =
                indexes.stream().limit(5).map(index -> called(firewall, index)).collect(Collectors.joining(", "));
        return indexes.size() > 5 ? names + " and " + (indexes.size() - 5) + " more" : names;
    }

    private static String message(RuleFinding finding, String by) {
        return switch (finding.code()) {
            case SHADOWED -> "it never decides: all of its packets are taken before it, by " + by;
            case REDUNDANT -> "without it nothing would be decided otherwise, because of " + by;
            case CORRELATED -> "it shares packets with " + by + ", which stands before it and does something else";
            case UNDECIDED -> "whether it ever decides was too much work to find out";
        };
    }
}
