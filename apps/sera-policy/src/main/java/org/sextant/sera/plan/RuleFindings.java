// SPDX-License-Identifier: Apache-2.0
package org.sextant.sera.plan;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.sextant.core.filter.Box;
import org.sextant.core.filter.Cover;
import org.sextant.core.filter.KeyField;
import org.sextant.core.filter.RuleSet;
import org.sextant.core.filter.Verdict;
import org.sextant.core.ip.IpPrefix;
import org.sextant.sera.plan.RuleFinding.Code;

/**
 * Compares the rules of a firewall with each other. Rules are unions of boxes, and a box is subtracted from others part
 * by part, so that findings are exact up to a budget of comparisons; a rule that would exceed it is undecided.
 *
 * <p>The fields of a packet are independent here, with one exception: addresses of IPv4 packets are IPv4 addresses. A
 * packet with other contradictions between fields, such as more segments left than entries, counts as possible.
 */
public final class RuleFindings {
    /** The numbers of boxes that may be compared for one rule, and for all rules. */
    private static final int PER_RULE = 4_000_000;

    private static final int ALL = 20_000_000;

    /** The number of findings that are reported. */
    private static final int MOST = 100;

    private static final IpPrefix IPV4 = IpPrefix.parse("0.0.0.0/0");

    /** All packets of each version: the table has room for versions that do not exist. */
    private static final List<Box> PACKETS = List.of(
            Box.equal(KeyField.IP_VERSION, 6),
            Box.equal(KeyField.IP_VERSION, 4)
                    .and(Box.within(KeyField.SRC, IPV4))
                    .and(Box.within(KeyField.DST, IPV4)));

    private final List<Group> groups;
    private final List<RuleFinding> findings = new ArrayList<>();
    private int left = ALL;

    /** Has the budget of the present rule. */
    private Cover.Search search = new Cover.Search(0);

    /** The table entries of one rule. */
    private record Group(int index, Verdict verdict, boolean log, List<Box> boxes) {
        boolean does(Group other) {
            return verdict == other.verdict && log == other.log;
        }

        boolean meets(Group other) {
            for (Box mine : boxes) {
                for (Box box : other.boxes) {
                    if (mine.intersects(box)) {
                        return true;
                    }
                }
            }
            return false;
        }

        /** Packets of both rules. */
        List<Box> common(Group other) {
            return boxes.stream()
                    .flatMap(box -> other.boxes.stream().flatMap(its -> box.intersect(its).stream()))
                    .toList();
        }
    }

    private RuleFindings(RuleSet rules) {
        Map<Integer, List<RuleSet.Row>> rows = new LinkedHashMap<>();
        rules.rows()
                .forEach(row -> rows.computeIfAbsent(row.priority(), none -> new ArrayList<>())
                        .add(row));
        groups = rows.entrySet().stream()
                .map(one -> new Group(
                        Rules.index(one.getKey()),
                        one.getValue().get(0).verdict(),
                        one.getValue().get(0).log(),
                        one.getValue().stream().map(RuleSet.Row::box).toList()))
                .toList();
    }

    /** The findings in the order of the rules, at most a hundred; none after a rule that exceeds the total budget. */
    public static List<RuleFinding> of(RuleSet rules) {
        RuleFindings all = new RuleFindings(rules);
        for (int i = 0; i < all.groups.size() - 1 && all.findings.size() < MOST && all.left > 0; i++) {
            all.look(i);
        }
        return List.copyOf(all.findings);
    }

    private void look(int at) {
        Group rule = groups.get(at);
        List<Group> before = meeting(rule, groups.subList(0, at));
        List<Group> behind = meeting(rule, groups.subList(at + 1, groups.size()));
        if (left <= 0) {
            found(Code.UNDECIDED, rule, List.of());
            return;
        }
        int budget = Math.min(PER_RULE, left);
        search = new Cover.Search(budget);
        RuleFinding finding = finding(rule, before, behind);
        if (search.left() < 0) {
            found(Code.UNDECIDED, rule, List.of());
        } else if (!finding.by().isEmpty()) {
            findings.add(finding);
        }
        left -= budget - Math.max(0, search.left());
    }

    private List<Group> meeting(Group rule, List<Group> others) {
        List<Group> meeting = new ArrayList<>();
        for (Group other : others) {
            left -= other.boxes().size() * rule.boxes().size();
            if (left <= 0) {
                return List.of();
            }
            if (other.meets(rule)) {
                meeting.add(other);
            }
        }
        return meeting;
    }

    /** The finding about a rule; {@code by} is empty if there is none, or the budget did not suffice. */
    private RuleFinding finding(Group rule, List<Group> before, List<Group> behind) {
        List<Box> earlier = boxes(before);
        if (covers(earlier, rule.boxes())) {
            List<Group> deciding = deciding(rule, before, List.of(), false);
            boolean same = deciding.stream().allMatch(rule::does);
            return finding(same ? Code.REDUNDANT : Code.SHADOWED, rule, deciding);
        }
        List<Group> instead = deciding(rule, behind, earlier, true);
        if (instead.stream().allMatch(rule::does)) {
            return finding(Code.REDUNDANT, rule, instead);
        }
        return finding(
                Code.CORRELATED,
                rule,
                before.stream()
                        .filter(other -> other.verdict() != rule.verdict()
                                && !covers(other.boxes(), rule.boxes())
                                && !covers(rule.boxes(), other.boxes()))
                        .toList());
    }

    private static List<Box> boxes(List<Group> groups) {
        return groups.stream().flatMap(group -> group.boxes().stream()).toList();
    }

    /**
     * The groups that decide packets of a rule which others leave.
     *
     * @param others boxes in front of the groups
     * @param alike true to end with the first group whose action differs from the rule's
     */
    private List<Group> deciding(Group rule, List<Group> groups, List<Box> others, boolean alike) {
        List<Box> covers = new ArrayList<>(others);
        List<Group> deciding = new ArrayList<>();
        for (Group group : groups) {
            if (!covers(covers, rule.common(group))) {
                deciding.add(group);
                if (alike && !rule.does(group)) {
                    break;
                }
            }
            covers.addAll(group.boxes());
        }
        return deciding;
    }

    /** True if every packet of the boxes is in one of {@code covers}; meaningless once the budget is exceeded. */
    private boolean covers(List<Box> covers, List<Box> boxes) {
        return boxes.stream()
                .flatMap(box -> PACKETS.stream().flatMap(version -> box.intersect(version).stream()))
                .allMatch(box -> search.of(box, covers) == Cover.WHOLE);
    }

    private static RuleFinding finding(Code code, Group rule, List<Group> by) {
        return new RuleFinding(code, rule.index(), by.stream().map(Group::index).toList());
    }

    private void found(Code code, Group rule, List<Group> by) {
        findings.add(finding(code, rule, by));
    }
}
