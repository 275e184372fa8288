// SPDX-License-Identifier: Apache-2.0
package org.sextant.sera.imports;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.ArrayList;
import java.util.List;
import org.sextant.sera.FirewallShape;

/** The rules of an import in lines, without their families and names. */
final class RuleTexts {
    private RuleTexts() {}

    static List<String> of(ImportResult imported) {
        // Imported firewalls can be posted: their names and bounds are valid.
        JsonNode json = FirewallShape.FIREWALL.write(
                FirewallShape.FIREWALL.decode(FirewallShape.FIREWALL.write(imported.firewall())));
        List<String> rules = new ArrayList<>();
        json.get("rules").forEach(rule -> {
            List<String> words = new ArrayList<>();
            rule.fields().forEachRemaining(field -> {
                if (!List.of("name", "family").contains(field.getKey())) {
                    words.add(field.getKey() + " " + text(field.getValue()));
                }
            });
            rules.add(String.join(" ", words));
        });
        return rules;
    }

    private static String text(JsonNode value) {
        return value.isTextual() ? value.textValue() : value.toString().replace("\"", "");
    }
}
