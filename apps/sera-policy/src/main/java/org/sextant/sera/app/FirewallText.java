// SPDX-License-Identifier: Apache-2.0
package org.sextant.sera.app;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.ArrayList;
import java.util.List;
import org.sextant.core.text.Columns;
import org.sextant.kit.app.IntentText;

/** Firewalls as lines of a shell. */
final class FirewallText implements IntentText {
    @Override
    public List<String> columns() {
        return List.of("node", "version", "rules", "default", "enforcement", "sid");
    }

    @Override
    public List<String> row(JsonNode view) {
        JsonNode firewall = view.get("firewall");
        return List.of(
                firewall.get("node").asText(),
                view.get("version").asText(),
                String.valueOf(firewall.get("rules").size()),
                firewall.get("default").asText(),
                firewall.get("enforcement").asText(),
                view.path("sid").asText());
    }

    @Override
    public String summary(JsonNode view) {
        JsonNode firewall = view.get("firewall");
        return "  version " + view.get("version") + " on "
                + firewall.get("node").asText() + " as "
                + view.path("sid").asText("no SID") + ": "
                + firewall.get("rules").size() + " rules in "
                + view.get("rows") + " rows, default "
                + firewall.get("default").asText()
                + (firewall.get("enforcement").asText().equals("audit") ? "; it only watches" : "") + "\n"
                + policies(view.path("policies")) + findings(view);
    }

    private static String policies(JsonNode ids) {
        List<String> names = new ArrayList<>();
        ids.forEach(id -> names.add(id.asText()));
        return names.isEmpty() ? "" : "  policies through it: " + String.join(", ", names) + "\n";
    }

    private static String findings(JsonNode view) {
        Columns columns = new Columns();
        view.path("findings")
                .forEach(finding -> columns.row(
                        finding.get("rule").asText(),
                        finding.get("code").asText(),
                        finding.get("message").asText()));
        return columns.text("  ");
    }

    @Override
    public String plan(JsonNode plan) {
        Columns rules = new Columns();
        plan.path("rules")
                .forEach(rule -> rules.row(
                        rule.get("rule").asText(),
                        rule.get("name").asText(),
                        rule.get("action").asText(),
                        rule.get("rows") + " rows"));
        return "firewall " + plan.path("sid").asText() + " on "
                + plan.path("node").asText() + ", version " + plan.path("version") + ", " + plan.path("rows")
                + " rows\n" + rules.text("  ") + findings(plan);
    }

    private static String lastHit(JsonNode rule) {
        if (rule.has("lastHit")) {
            return "last " + rule.get("lastHit").asText();
        }
        if (!rule.has("lastHitBefore")) {
            return "";
        }
        String before = "before " + rule.get("lastHitBefore").asText();
        return "last "
                + (rule.has("lastHitAfter")
                        ? "after " + rule.get("lastHitAfter").asText() + ", "
                        : "") + before;
    }

    static String counters(JsonNode view) {
        if (!view.get("read").asBoolean()) {
            return "node " + view.get("node").asText() + " does not answer\n";
        }
        Columns columns = new Columns();
        view.get("rules")
                .forEach(rule -> columns.row(
                        rule.get("name").asText(),
                        rule.get("action").asText(),
                        rule.get("hits") + " packets",
                        rule.get("bytes") + " bytes",
                        lastHit(rule)));
        JsonNode rest = view.get("default");
        columns.row(
                "default",
                rest.get("action").asText(),
                rest.get("hits") + " packets",
                rest.get("bytes") + " bytes",
                lastHit(rest));
        StringBuilder text = new StringBuilder("version ")
                .append(view.get("version"))
                .append(", since ")
                .append(view.path("since").asText("its rows are there"))
                .append('\n')
                .append(columns.text("  "));
        view.get("dropped").fields().forEachRemaining(reason -> {
            if (reason.getValue().asLong() > 0) {
                text.append("  dropped, ")
                        .append(reason.getKey())
                        .append(": ")
                        .append(reason.getValue())
                        .append('\n');
            }
        });
        return text.toString();
    }
}
