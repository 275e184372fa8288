// SPDX-License-Identifier: Apache-2.0
package org.sextant.sera;

import java.util.List;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;
import org.sextant.core.shape.Elements;
import org.sextant.core.shape.Field;
import org.sextant.core.shape.FieldGroup;
import org.sextant.core.shape.IntegerNumber;
import org.sextant.core.shape.Keyed;
import org.sextant.core.shape.ObjectShape;
import org.sextant.core.shape.Text;
import org.sextant.core.shape.Values;
import org.sextant.core.shape.Word;
import org.sextant.kit.Metadata;

/** The declaration of firewalls. */
public final class FirewallShape {
    private static final int MOST_GROUPS = 256;
    private static final int MOST_FLOWS = 1 << 20;

    /** The resource that imports firewalls has the address of a firewall of this name. */
    private static final String IMPORT = "import";

    private static final Field<Firewall, String> NAME = Field.required(
            "name",
            "becomes the id",
            name("firewall").checked((name, input) -> {
                if (name.equals(IMPORT)) {
                    input.invalid("firewalls are imported at the address of that name", "choose another");
                }
            }),
            "name the firewall: the name becomes its id",
            Firewall::name);
    private static final Field<Firewall, String> NODE = Field.required(
            "node", "the node that it is on", name("node"), "give the name of the node that it is on", Firewall::node);
    private static final Field<Firewall, Boolean> ADVANCED = Field.standard(
            "mode",
            "advanced: rules may match the segment routing header, and have further actions than accept and drop",
            Word.either("advanced", "basic"),
            false,
            Firewall::advanced);
    private static final Field<Firewall, Verb> DEFAULT = Field.standard(
                    "default",
                    "the action for packets that match no rule; in the basic mode accept or drop",
                    RuleShape.ACTION_WORD,
                    Verb.DROP,
                    Firewall::otherwise)
            .depending(values -> RuleShape.ACTION_WORD.checked((verb, input) -> {
                if (!isAdvanced(values) && !verb.basic()) {
                    RuleCheck.refuseAction(verb, input, "");
                }
            }));
    private static final Field<Firewall, Boolean> AUDIT = Field.standard(
            "enforcement",
            "audit: packets that a rule drops pass, counted and logged",
            Word.either("audit", "enforce"),
            false,
            Firewall::audit);
    private static final Field<Firewall, Optional<Integer>> FLOWS = Field.optional(
            "flows",
            "size of the flow table, where rules match the state of a flow; absent: " + Firewall.DEFAULT_FLOWS,
            IntegerNumber.between(1, MOST_FLOWS),
            firewall -> Optional.of(firewall.flows())
                    .filter(flows -> firewall.stateful() || flows != Firewall.DEFAULT_FLOWS));
    private static final Field<Firewall, SortedMap<String, List<Peer>>> GROUPS = Field.standard(
                    "groups",
                    "prefixes and group:NAME by name",
                    Keyed.of(
                                    name("group"),
                                    Elements.of(Text.parsed(Peer::parse, "write a prefix or \"group:NAME\"")),
                                    MOST_GROUPS,
                                    count -> "there are " + count + " groups",
                                    "make " + MOST_GROUPS + " at most")
                            .checked(Groups::check),
                    new TreeMap<String, List<Peer>>(),
                    Firewall::groups)
            .writtenUnlessDefault();

    private static final Elements<Rule> ALL_RULES = Elements.of(RuleShape.RULE)
            .sized(
                    0,
                    Firewall.MOST_ROWS,
                    count -> "there are " + count + " rules",
                    count -> "a firewall has " + Firewall.MOST_ROWS + " at most");

    private static final Field<Firewall, List<Rule>> RULES = Field.<Firewall, List<Rule>>required(
                    "rules",
                    "the first that matches a packet decides",
                    ALL_RULES,
                    "list the rules, [] if the default is all there is",
                    Firewall::rules)
            .depending(FirewallShape::rules);

    private static final FieldGroup<Firewall, Metadata> METADATA = Metadata.fields(Firewall::metadata);

    public static final ObjectShape<Firewall> FIREWALL = ObjectShape.of(
                    "rules for packets that come to its SID, on the inner packet",
                    List.of(NAME, NODE, ADVANCED, DEFAULT, AUDIT, FLOWS, GROUPS, RULES, METADATA),
                    values -> new Firewall(
                            values.get(NAME),
                            values.get(NODE),
                            values.get(ADVANCED),
                            values.get(DEFAULT),
                            values.get(AUDIT),
                            values.get(FLOWS).orElse(Firewall.DEFAULT_FLOWS),
                            values.get(GROUPS),
                            values.get(RULES),
                            values.get(METADATA)))
            .named("Firewall");

    private FirewallShape() {}

    static Text<String> name(String what) {
        return Text.parsed(
                        text -> {
                            Peer.checkName(what, text);
                            return text;
                        },
                        "use letters, digits, dots, dashes; 63 at most")
                .described(Peer.NAME);
    }

    private static boolean isAdvanced(Values<Firewall> values) {
        return values.find(ADVANCED).orElse(false);
    }

    /** Rules that name a faulty group do not repeat its problems. */
    private static Elements<Rule> rules(Values<Firewall> values) {
        return values.find(GROUPS)
                .map(groups -> ALL_RULES.rule(new RuleCheck(isAdvanced(values), groups)))
                .orElse(ALL_RULES);
    }
}
