// SPDX-License-Identifier: Apache-2.0
package org.sextant.sera.plan;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.stream.IntStream;
import org.sextant.core.filter.Box;
import org.sextant.core.filter.RuleSet;
import org.sextant.core.filter.Verdict;
import org.sextant.kit.Findings;
import org.sextant.sera.Firewall;
import org.sextant.sera.Groups;
import org.sextant.sera.Rule;
import org.sextant.sera.Verb;

/**
 * Compiles a firewall's rules to the entries of one rule set. The first rule has the highest priority; all entries of a
 * rule have the same, and the default has the lowest.
 */
public final class Rules {
    /** The priority of the first rule; the others count down. It is ONOS's maximum. */
    private static final int FIRST = 0xffff;

    private static final int DEFAULT = 1;

    /** The name of the default's entry. */
    public static final String DEFAULT_RULE = "default";

    private Rules() {}

    /**
     * The entries; empty, with {@code findings}, if a rule matches no packet or there are too many.
     *
     * @param number of the rule set
     */
    public static RuleSet of(Firewall firewall, int number, Findings findings) {
        Groups groups = new Groups(firewall.groups());
        List<RuleRows> all = firewall.rules().stream()
                .map(rule -> new RuleRows(rule, groups))
                .toList();
        check(firewall, all, findings);
        if (!findings.clean()) {
            return new RuleSet(number, List.of());
        }
        List<RuleSet.Row> rows = new ArrayList<>();
        for (int i = 0; i < all.size(); i++) {
            Rule rule = firewall.rules().get(i);
            String called = rule.called(i);
            int priority = FIRST - i;
            Verdict verdict = verdict(rule.verb(), firewall.audit());
            boolean log = rule.log() || firewall.audit() && rule.verb() == Verb.DROP;
            all.get(i).boxes().forEach(box -> rows.add(new RuleSet.Row(priority, box, verdict, log, called)));
        }
        boolean counted = firewall.audit() && firewall.otherwise() == Verb.DROP;
        rows.add(new RuleSet.Row(
                DEFAULT, Box.ALL, verdict(firewall.otherwise(), firewall.audit()), counted, DEFAULT_RULE));
        return new RuleSet(number, rows);
    }

    /** The rules as written: those of a firewall in audit mode have their own actions. */
    public static RuleSet asWritten(Firewall firewall) {
        Firewall enforcing = new Firewall(
                firewall.name(),
                firewall.node(),
                firewall.advanced(),
                firewall.otherwise(),
                false,
                firewall.flows(),
                firewall.groups(),
                firewall.rules(),
                firewall.metadata());
        return of(enforcing, 0, new Findings());
    }

    private static void check(Firewall firewall, List<RuleRows> all, Findings findings) {
        long total = 1;
        for (int i = 0; i < all.size(); i++) {
            long count = all.get(i).count();
            total += count;
            if (count == 0) {
                findings.invalid("/rules/" + i, "no packet can be what this rule asks for", "take it out");
            }
        }
        if (total > Firewall.MOST_ROWS) {
            findings.unfeasible(
                    "/rules",
                    "the rules come to " + number(total) + " rows, and a firewall has " + Firewall.MOST_ROWS
                            + " at most; most of them have " + largest(firewall, all),
                    "write fewer negations in one rule: a negated prefix of length n is n rows, and fields multiply");
        }
    }

    private static String largest(Firewall firewall, List<RuleRows> all) {
        List<String> texts = IntStream.range(0, all.size())
                .boxed()
                .sorted(Comparator.comparingLong((Integer i) -> -all.get(i).count()))
                .limit(5)
                .map(i -> firewall.rules().get(i).called(i) + " (/rules/" + i + ") with "
                        + number(all.get(i).count()))
                .toList();
        return String.join(", ", texts);
    }

    private static String number(long count) {
        return count >= Integer.MAX_VALUE ? "more than 2,000,000,000" : String.valueOf(count);
    }

    /** The action at a node; in audit mode it passes packets that the rule would drop. */
    static Verdict verdict(Verb verb, boolean audit) {
        return switch (verb) {
            case ACCEPT -> Verdict.GO_NEXT;
            case DROP -> audit ? Verdict.GO_NEXT : Verdict.DROP;
            case SKIP_NEXT -> Verdict.SKIP_NEXT;
            case GO_LAST -> Verdict.GO_LAST;
            case EVAL_ARGS -> Verdict.EVAL_ARGS;
        };
    }

    /** The version of the firewall in the number of a rule set. */
    public static int version(int ruleSet) {
        return FirewallSid.version(ruleSet);
    }

    /** The index of an entry's rule; -1: the default. */
    public static int index(int priority) {
        return priority == DEFAULT ? -1 : FIRST - priority;
    }
}
