// SPDX-License-Identifier: Apache-2.0
package org.sextant.core.intent;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.TreeSet;
import org.sextant.core.Problem;
import org.sextant.core.ip.IpPrefix;
import org.sextant.core.ip.Ipv6;
import org.sextant.core.net.Link;
import org.sextant.core.passage.Packets;
import org.sextant.core.passage.Passage;
import org.sextant.core.passage.Place;
import org.sextant.core.table.Behavior;
import org.sextant.core.table.Entry;
import org.sextant.core.table.MySid;
import org.sextant.core.table.SidList;
import org.sextant.core.table.Steering;

/**
 * The smallest intent that needs the engine: traffic to a prefix, from the first node of a path to the last. The first
 * node gets a list and a steering entry, the last a SID; the identity is the first node and the prefix.
 */
record Toy(String name, String prefix, List<String> path) {

    static Toy toy(String name, String prefix, String path) {
        return new Toy(name, prefix, List.of(path.split(" ")));
    }

    String head() {
        return path.get(0);
    }

    String tail() {
        return path.get(path.size() - 1);
    }

    Steering steering(int number) {
        return new Steering(0, IpPrefix.parse(prefix), number, true);
    }

    /** One segment per hop, so that another path is another list. */
    SidList list(int number) {
        return new SidList(
                number,
                List.of(new SidList.Member(
                        1,
                        path.stream()
                                .skip(1)
                                .map(node -> Ipv6.parse("fcbb:bbbb:" + Integer.toHexString(node.charAt(0)) + "::"))
                                .toList())));
    }

    Passage passage() {
        return new Passage(
                new Place(head(), 0),
                Packets.to(IpPrefix.parse(prefix)),
                Passage.Rule.LONGEST_PREFIX,
                new TreeSet<>(List.of(new Place(tail(), 0))));
    }

    static MySid sid(int number) {
        return new MySid(
                IpPrefix.parse("fcbb:bbbb:0:" + Integer.toHexString(number) + "::/64"),
                new Behavior.Udt(Behavior.Family.IPV6, 0));
    }

    /** Toys of one name never share, and stand or fall as a whole. */
    static class Kind implements IntentKind<Toy> {
        private final String name;

        Kind(String name) {
            this.name = name;
        }

        Kind() {
            this("toy");
        }

        @Override
        public String name() {
            return name;
        }

        @Override
        public ObjectNode encode(Toy toy) {
            ObjectNode json = JsonNodeFactory.instance.objectNode();
            json.put("name", toy.name()).put("prefix", toy.prefix()).put("path", String.join(" ", toy.path()));
            return json;
        }

        @Override
        public Toy decode(JsonNode json) {
            return toy(
                    json.path("name").asText(),
                    json.path("prefix").asText(),
                    json.path("path").asText());
        }

        @Override
        public String identity(Toy toy) {
            return toy.head() + " " + toy.prefix();
        }

        @Override
        public Optional<String> suggestedId(Toy toy) {
            return toy.name().isEmpty() ? Optional.empty() : Optional.of(toy.name());
        }

        @Override
        public String field(Toy intent, Entry entry) {
            return entry instanceof Steering ? "/prefix" : "";
        }

        @Override
        public Plan compile(NumberedIntent<Toy> intent, CompileContext context) {
            Toy toy = intent.intent();
            TreeSet<String> dependsOn = new TreeSet<>(toy.path());
            List<Problem> problems = new ArrayList<>();
            for (int i = 0; i + 1 < toy.path().size(); i++) {
                String from = toy.path().get(i);
                String to = toy.path().get(i + 1);
                Optional<Link> link = context.network().linksFrom(from).stream()
                        .filter(candidate -> candidate.to().node().equals(to) && candidate.up())
                        .findFirst();
                link.ifPresentOrElse(
                        found -> dependsOn.add(found.id()),
                        () -> problems.add(new Problem(
                                Problem.Code.UNFEASIBLE,
                                "/path",
                                "no link from " + from + " to " + to,
                                "choose another path")));
            }
            List<Plan.Placed> entries = problems.isEmpty()
                    ? List.of(
                            new Plan.Placed(toy.head(), toy.list(intent.number())),
                            new Plan.Placed(toy.head(), toy.steering(intent.number())),
                            new Plan.Placed(toy.tail(), sid(intent.number())))
                    : List.of();
            List<Passage> passages = problems.isEmpty() ? List.of(toy.passage()) : List.of();
            return new Plan(entries, Explained.NOTHING, problems, List.of(), Dependence.on(dependsOn), passages);
        }
    }
}
