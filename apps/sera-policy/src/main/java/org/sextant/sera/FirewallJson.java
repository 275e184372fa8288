// SPDX-License-Identifier: Apache-2.0
package org.sextant.sera;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;
import org.sextant.core.Problem;
import org.sextant.core.ProblemException;
import org.sextant.core.json.Fields;

/**
 * Reads and writes the JSON form of firewalls. Reading is strict and reports every problem with its JSON pointer;
 * writing is canonical.
 */
public final class FirewallJson {
    private static final JsonNodeFactory NODES = JsonNodeFactory.instance;
    private static final int MOST_GROUPS = 256;
    private static final int MOST_FLOWS = 1 << 20;

    private FirewallJson() {}

    /** @throws ProblemException with every problem of the document */
    public static Firewall decode(JsonNode json) {
        Fields fields = new Fields(json, "", new ArrayList<>());
        Optional<String> name = named(fields, "name", "firewall", "name the firewall: the name becomes its id");
        Optional<String> node = named(fields, "node", "node", "give the name of the node that it is on");
        boolean advanced =
                fields.word("mode", List.of(true, false), FirewallJson::mode).orElse(false);
        Verb otherwise =
                fields.word("default", List.of(Verb.values()), Verb::spelling).orElse(Verb.DROP);
        if (!advanced && !otherwise.basic()) {
            fields.invalid(
                    "/default",
                    "\"" + otherwise.spelling() + "\" is an action of the advanced mode",
                    "write \"mode\": \"advanced\"");
        }
        boolean audit = fields.word("enforcement", List.of(true, false), FirewallJson::enforcement)
                .orElse(false);
        int flows = (int) fields.integer("flows", 1, MOST_FLOWS, Firewall.DEFAULT_FLOWS);
        SortedMap<String, List<Peer>> groups = groups(fields);
        List<Rule> rules = rules(fields, advanced, groups);
        fields.finishOrThrow();
        if (name.orElse("").equals("import")) {
            throw new ProblemException(new Problem(
                    Problem.Code.INVALID,
                    "/name",
                    "firewalls are imported at the address of that name",
                    "choose another"));
        }
        return new Firewall(name.orElseThrow(), node.orElseThrow(), advanced, otherwise, audit, flows, groups, rules);
    }

    private static Optional<String> named(Fields fields, String field, String what, String remedy) {
        fields.require(field, remedy);
        return fields.parsed(field, "use letters, digits, dots, dashes; 63 at most", text -> {
            Peer.checkName(what, text);
            return text;
        });
    }

    private static String mode(boolean advanced) {
        return advanced ? "advanced" : "basic";
    }

    private static String enforcement(boolean audit) {
        return audit ? "audit" : "enforce";
    }

    private static SortedMap<String, List<Peer>> groups(Fields fields) {
        SortedMap<String, List<Peer>> groups = new TreeMap<>();
        Optional<JsonNode> node = fields.node("groups");
        if (node.isEmpty()) {
            return groups;
        }
        Fields inner = new Fields(node.get(), "/groups", fields.problems());
        if (node.get().size() > MOST_GROUPS) {
            fields.invalid("/groups", "there are " + node.get().size() + " groups", "make " + MOST_GROUPS + " at most");
            return groups;
        }
        int before = fields.problems().size();
        List<String> names = new ArrayList<>();
        node.get().fieldNames().forEachRemaining(names::add);
        for (String name : names) {
            fields.parse(name, inner.pointer(name), "use letters, digits, dots, dashes; 63 at most", text -> {
                        Peer.checkName("group", text);
                        return text;
                    })
                    .ifPresent(text -> groups.put(text, members(inner, text)));
        }
        if (fields.problems().size() == before) {
            Groups.check(groups, fields);
        }
        return groups;
    }

    private static List<Peer> members(Fields groups, String name) {
        return groups.list(
                name,
                (node, at) -> groups.asText(node, at)
                        .flatMap(text -> groups.parse(text, at, "write a prefix or \"group:NAME\"", Peer::parse)));
    }

    private static List<Rule> rules(Fields fields, boolean advanced, SortedMap<String, List<Peer>> groups) {
        fields.require("rules", "list the rules, [] if the default is all there is");
        int size = fields.node("rules").map(JsonNode::size).orElse(0);
        if (size > Firewall.MOST_ROWS) {
            fields.invalid(
                    "/rules", "there are " + size + " rules", "a firewall has " + Firewall.MOST_ROWS + " at most");
            return List.of();
        }
        // Rules that name a faulty group do not repeat its problems.
        boolean sound =
                fields.problems().stream().noneMatch(problem -> problem.field().startsWith("/groups"));
        RuleCheck check = new RuleCheck(advanced, groups, fields);
        return fields.list("rules", (node, at) -> {
            Optional<Rule> rule = RuleJson.decode(node, at, fields);
            rule.filter(one -> sound).ifPresent(one -> check.check(one, at));
            return rule;
        });
    }

    public static ObjectNode encode(Firewall firewall) {
        ObjectNode json = NODES.objectNode()
                .put("name", firewall.name())
                .put("node", firewall.node())
                .put("mode", mode(firewall.advanced()))
                .put("default", firewall.otherwise().spelling())
                .put("enforcement", enforcement(firewall.audit()));
        if (firewall.stateful() || firewall.flows() != Firewall.DEFAULT_FLOWS) {
            json.put("flows", firewall.flows());
        }
        if (!firewall.groups().isEmpty()) {
            ObjectNode groups = json.putObject("groups");
            firewall.groups().forEach((name, members) -> {
                ArrayNode texts = groups.putArray(name);
                members.forEach(member -> texts.add(member.toString()));
            });
        }
        ArrayNode rules = json.putArray("rules");
        firewall.rules().forEach(rule -> rules.add(RuleJson.encode(rule)));
        return json;
    }
}
