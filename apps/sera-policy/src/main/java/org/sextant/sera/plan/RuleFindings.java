// SPDX-License-Identifier: Apache-2.0
package org.sextant.sera.plan;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.sextant.core.filter.Box;
import org.sextant.core.filter.Cover;
import org.sextant.core.filter.RuleSet;
import org.sextant.core.filter.Verdict;
import org.sextant.sera.plan.RuleFinding.Code;

/** Compares the rules of a firewall with each other, exactly, as far as a budget goes. */
public final class RuleFindings {
    /** How many boxes may be looked at for one rule, and for all of them. */
    private static final int PER_RULE = 4_000_000;

    private static final int ALL = 20_000_000;

    /** How many are told: the rest is more of the same. */
    private static final int MOST = 100;

    private final List<Group> groups;
    private final List<RuleFinding> findings = new ArrayList<>();
    private int left = ALL;

    /** The rows of one rule. */
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

        boolean covers(Group other) {
            return other.boxes.stream().allMatch(box -> boxes.stream().anyMatch(mine -> mine.covers(box)));
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

    /** In the order of the rules; the first hundred. */
    public static List<RuleFinding> of(RuleSet rules) {
        RuleFindings all = new RuleFindings(rules);
        for (int i = 0; i < all.groups.size() - 1 && all.findings.size() < MOST; i++) {
            all.look(i);
        }
        return List.copyOf(all.findings);
    }

    private void look(int at) {
        Group rule = groups.get(at);
        List<Group> meeting = new ArrayList<>();
        for (Group before : groups.subList(0, at)) {
            left -= before.boxes().size() * rule.boxes().size();
            if (left < 0) {
                found(Code.UNDECIDED, rule, List.of());
                return;
            }
            if (before.meets(rule)) {
                meeting.add(before);
            }
        }
        Cover hidden = cover(rule, meeting);
        if (hidden == Cover.WHOLE) {
            List<Group> enough = enough(rule, meeting);
            boolean same = enough.stream().allMatch(rule::does);
            found(same ? Code.REDUNDANT : Code.SHADOWED, rule, enough);
        } else if (hidden == Cover.UNDECIDED) {
            found(Code.UNDECIDED, rule, List.of());
        } else if (!redundant(at, rule)) {
            correlated(rule, meeting);
        }
    }

    private Cover cover(Group rule, List<Group> by) {
        List<Box> covers = by.stream().flatMap(group -> group.boxes().stream()).toList();
        Cover worst = Cover.WHOLE;
        for (Box box : rule.boxes()) {
            Cover cover = left <= 0 ? Cover.UNDECIDED : Cover.of(box, covers, Math.min(PER_RULE, left));
            left -= covers.size();
            if (cover == Cover.NOT_WHOLE) {
                return cover;
            }
            worst = cover == Cover.UNDECIDED ? cover : worst;
        }
        return worst;
    }

    /** One that does it alone, if there is one; else all. */
    private static List<Group> enough(Group rule, List<Group> by) {
        return by.stream()
                .filter(one -> one.covers(rule))
                .findFirst()
                .map(List::of)
                .orElse(by);
    }

    /** Whether the rules behind it would do the same with all of its packets: the first that take some, and so on. */
    private boolean redundant(int at, Group rule) {
        List<Group> same = new ArrayList<>();
        for (Group behind : groups.subList(at + 1, groups.size())) {
            left -= behind.boxes().size() * rule.boxes().size();
            if (left < 0 || !behind.meets(rule)) {
                continue;
            }
            if (!rule.does(behind)) {
                return false;
            }
            same.add(behind);
            if (behind.covers(rule)) {
                found(Code.REDUNDANT, rule, same);
                return true;
            }
        }
        return false;
    }

    private void correlated(Group rule, List<Group> meeting) {
        List<Group> across = meeting.stream()
                .filter(before -> before.verdict() != rule.verdict() && !before.covers(rule) && !rule.covers(before))
                .toList();
        if (!across.isEmpty()) {
            found(Code.CORRELATED, rule, across);
        }
    }

    private void found(Code code, Group rule, List<Group> by) {
        findings.add(new RuleFinding(
                code, rule.index(), by.stream().map(Group::index).toList()));
    }
}
