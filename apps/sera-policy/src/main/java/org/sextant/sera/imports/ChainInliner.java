// SPDX-License-Identifier: Apache-2.0
package org.sextant.sera.imports;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.SortedMap;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.sextant.kit.Family;
import org.sextant.sera.Firewall;
import org.sextant.sera.Rule;
import org.sextant.sera.Verb;

/**
 * Inlines a base chain and the chains that it jumps to into one list of rules. The lines of the other chain replace a
 * line that jumps, each restricted to the match of the jump. If such a line returns, the lines behind the jump are
 * repeated for the packets that return, as rules cannot return:
 *
 * <pre>
 *   -A FORWARD -p tcp -j web          tcp, from a: the lines behind the jump (b), then the policy
 *   -A FORWARD b                      tcp, c
 *   -A web -s a -j RETURN       →     b
 *   -A web c
 * </pre>
 *
 * <p>The lines behind a line that logs are repeated, too: a rule logs and decides at once.
 *
 * <p>A line of which one rule is refused is refused whole, and the others remain as without it: half of a jump would
 * pass or drop packets for which the text has no such line.
 */
final class ChainInliner {
    private static final int MOST_RULES = Firewall.MOST_ROWS;
    private static final int DEEPEST = 16;
    private static final int MOST_PASSES = 16;
    private static final int MOST_CIRCULAR = 1000;
    private static final int MOST_NESTED = 100;
    private static final int MOST_REPEATED = 16 * MOST_RULES;
    private static final String FULL =
            "with this line the rules come to more than " + MOST_RULES + " rows on a node, and a firewall has no more";
    private static final String LONG =
            "with what returns from other chains repeated, these are more lines than the import"
                    + " follows: write the chain without RETURN";
    private static final String AGAIN = "without the lines that are refused others are refused, " + MOST_PASSES
            + " times over: no line of this chain is left";
    private static final String VAIN = "no packet comes to this line that it takes: it is left out";

    private final SortedMap<String, Chain> chains;
    private final Map<String, List<Step>> steps = new HashMap<>();
    private final Verb policy;

    /** The match of all packets. */
    private final Rule all;

    private final List<Rule> rules = new ArrayList<>();
    private final Set<ImportResult.Remark> refused = new LinkedHashSet<>();

    /** Lines that are omitted, as they were faulty where a jump led to them. */
    private final Set<Step> without;

    private final Set<Step> faulty = new HashSet<>();
    private final Set<ImportResult.Remark> warnings = new LinkedHashSet<>();

    /** Lines that match no packet in one place, and lines that match some in another. */
    private final Set<Step> vain = new LinkedHashSet<>();

    private final Set<Step> effective = new HashSet<>();
    private final Map<String, Integer> names = new HashMap<>();

    /** The number of followed lines: endless repetitions may yield no rules at all. */
    private int looked;

    private final int mostLooked;
    private int nested;
    private final Set<Step> seen = new HashSet<>();

    /** The reason for refusing lines that were not followed; empty while lines are followed. */
    private String stopped = "";

    /** The table entries of the rules so far, and that of the default. */
    private long rows = 1;

    /** The results of {@link ImportCheck#fault}, over all passes. */
    private final Map<Rule, Optional<String>> faults;

    private ChainInliner(
            SortedMap<String, Chain> chains,
            Verb policy,
            Rule all,
            Set<Step> without,
            Map<Rule, Optional<String>> faults,
            int repeated) {
        this.faults = faults;
        this.mostLooked = repeated
                + chains.values().stream()
                        .mapToInt(chain -> chain.steps().size())
                        .sum();
        this.all = all;
        this.without = without;
        this.chains = chains;
        this.policy = policy;
    }

    /** A position to continue from: a branch of a line of a chain, and the position behind the jump to that chain. */
    private record Place(
            List<Step> steps, int at, int branch, @Nullable Place behind, Rule guard, int depth) {}

    /**
     * The rules of a base chain.
     *
     * @param family of all packets that come to the chains; empty: both
     */
    static ChainRules run(SortedMap<String, Chain> chains, String base, Verb policy, Optional<Family> family) {
        Set<ImportResult.Remark> refused = new LinkedHashSet<>();
        Set<Step> without = new HashSet<>();
        Map<Rule, Optional<String>> faults = new HashMap<>();
        circular(chains).forEach((step, why) -> {
            refused.add(remark(step, why));
            without.add(step);
        });
        for (int pass = 0; pass <= MOST_PASSES; pass++) {
            ChainInliner inlining = new ChainInliner(
                    chains, policy, asked(Rule.every(policy), family), without, faults, MOST_REPEATED >> pass);
            if (pass == MOST_PASSES) {
                // Without the base chain's own lines, no other line is left to refuse.
                inlining.steps(base).forEach(step -> inlining.refuse(step, AGAIN));
                return new ChainRules(List.of(), joined(refused, inlining.refused), List.of());
            }
            inlining.follow(new Place(inlining.steps(base), 0, 0, null, inlining.all, 0));
            inlining.refuseUnseen(base);
            refused.addAll(inlining.refused);
            if (inlining.faulty.isEmpty()) {
                inlining.vain.removeAll(inlining.effective);
                inlining.vain.forEach(step -> inlining.warnings.add(remark(step, VAIN)));
                return new ChainRules(inlining.rules, List.copyOf(refused), List.copyOf(inlining.warnings));
            }
            without.addAll(inlining.faulty);
        }
        throw new IllegalStateException("the last pass returns");
    }

    /** Jumps to chains that lead back to the chain of the jump, with the reason to refuse them. */
    private static Map<Step, String> circular(SortedMap<String, Chain> chains) {
        Map<String, List<Step>> steps = new LinkedHashMap<>();
        chains.forEach((name, chain) -> steps.put(name, chain.steps()));
        removeEnds(steps);
        Map<Step, String> circular = new LinkedHashMap<>();
        steps.forEach((name, lines) -> {
            for (Step step : lines) {
                for (String next : jumps(step)) {
                    if (leadsTo(next, name, steps)) {
                        circular.put(
                                step, "chain " + next + " leads back to this line, and no packet would come to an end");
                    }
                }
            }
        });
        return circular;
    }

    /** Keeps the chains in cycles and those that lead to them: removes chains that lead to no other, repeatedly. */
    private static void removeEnds(Map<String, List<Step>> steps) {
        Map<String, Integer> leads = new HashMap<>();
        Map<String, List<String>> from = new HashMap<>();
        steps.forEach((name, lines) -> lines.stream()
                .flatMap(step -> jumps(step).stream())
                .filter(steps::containsKey)
                .forEach(next -> {
                    leads.merge(name, 1, Integer::sum);
                    from.computeIfAbsent(next, none -> new ArrayList<>()).add(name);
                }));
        List<String> ends = new ArrayList<>(
                steps.keySet().stream().filter(name -> !leads.containsKey(name)).toList());
        while (!ends.isEmpty()) {
            String end = ends.remove(ends.size() - 1);
            steps.remove(end);
            for (String name : from.getOrDefault(end, List.of())) {
                if (leads.merge(name, -1, Integer::sum) == 0) {
                    ends.add(name);
                }
            }
        }
    }

    /** True also if too many chains are left for a search. */
    private static boolean leadsTo(String chain, String other, Map<String, List<Step>> steps) {
        Set<String> reached = new LinkedHashSet<>();
        if (steps.size() <= MOST_CIRCULAR) {
            reach(chain, steps, reached);
        }
        return steps.containsKey(chain) && (steps.size() > MOST_CIRCULAR || reached.contains(other));
    }

    private static void reach(String chain, Map<String, List<Step>> steps, Set<String> reached) {
        List<String> open = new ArrayList<>(List.of(chain));
        while (!open.isEmpty()) {
            String next = open.remove(open.size() - 1);
            if (reached.add(next)) {
                steps.getOrDefault(next, List.of()).forEach(step -> open.addAll(jumps(step)));
            }
        }
    }

    private static List<String> jumps(Step step) {
        return step.targets().stream()
                .flatMap(target -> target instanceof Target.Jump jump ? Stream.of(jump.chain()) : Stream.empty())
                .toList();
    }

    /** One remark for each line: the first. */
    private static List<ImportResult.Remark> joined(Set<ImportResult.Remark> first, Set<ImportResult.Remark> more) {
        List<ImportResult.Remark> all = new ArrayList<>(first);
        Set<Integer> lines = new HashSet<>();
        first.forEach(remark -> lines.add(remark.line()));
        more.stream().filter(remark -> !lines.contains(remark.line())).forEach(all::add);
        return all;
    }

    /** Refuses the lines that were not followed after an early stop. */
    private void refuseUnseen(String base) {
        if (stopped.isEmpty()) {
            return;
        }
        Map<String, List<Step>> all = new HashMap<>();
        chains.keySet().forEach(name -> all.put(name, steps(name)));
        Set<String> reached = new LinkedHashSet<>();
        reach(base, all, reached);
        reached.stream()
                .flatMap(chain -> steps(chain).stream())
                .filter(step -> !seen.contains(step) && !without.contains(step))
                .forEach(step -> refuse(step, stopped));
    }

    /** The rules that the lines of a base chain became, and the remarks on these lines. */
    record ChainRules(List<Rule> rules, List<ImportResult.Remark> refused, List<ImportResult.Remark> warnings) {}

    private List<Step> steps(String chain) {
        return steps.computeIfAbsent(chain, name -> {
            Chain known = chains.get(name);
            return known == null ? List.of() : known.steps();
        });
    }

    /** As {@link #followLines}, unless positions are nested too deeply for the stack. */
    private boolean follow(Place place) {
        if (nested == MOST_NESTED && place.at() < place.steps().size()) {
            stop(place.steps().get(place.at()));
            return false;
        }
        nested++;
        boolean on = followLines(place);
        nested--;
        return on;
    }

    private void stop(Step step) {
        refuse(step, LONG);
        stopped = "it stands behind line " + step.line() + ", up to which lines repeat too often";
    }

    /** Adds all rules from a position on; false if all packets of its guard are decided, so no line need follow. */
    private boolean followLines(Place place) {
        for (int i = place.at(); i < place.steps().size(); i++) {
            Step step = place.steps().get(i);
            if (!stopped.isEmpty()) {
                return false;
            }
            if (++looked > mostLooked) {
                stop(step);
                return false;
            }
            seen.add(step);
            if (without.contains(step)) {
                continue;
            }
            if (step.refusal().isPresent()) {
                refused.add(remark(step, step.refusal().get()));
                continue;
            }
            step.warnings().forEach(warning -> warnings.add(remark(step, warning)));
            if (step.branches().isEmpty()) {
                vain.add(step);
            }
            Optional<Boolean> end = branches(step, place, i);
            if (end.isPresent()) {
                return end.get();
            }
        }
        return true;
    }

    /** Adds the rules of a line; returns the result of {@link #follow} if no line need follow. */
    private Optional<Boolean> branches(Step step, Place place, int at) {
        Place behind = new Place(place.steps(), at + 1, 0, place.behind(), place.guard(), place.depth());
        for (int i = at == place.at() ? place.branch() : 0; i < step.branches().size(); i++) {
            Target target = step.branches().get(i).target();
            Optional<Rule> guarded =
                    guarded(place.guard(), step.branches().get(i).match(), step);
            if (guarded.isEmpty()) {
                continue;
            }
            Rule guard = guarded.get();
            boolean whole = isWhole(guard, place);
            if (whole && target instanceof Target.Return) {
                effective.add(step);
                return Optional.of(true);
            }
            Optional<Exceptions> exceptions = exceptions(step, guard, place.guard());
            if (exceptions.isPresent() && !(target instanceof Target.Count)) {
                Place others = new Place(place.steps(), at, i + 1, place.behind(), place.guard(), place.depth());
                exceptions.get().excepted().forEach(excepted -> goOn(step, others, excepted));
                guard = exceptions.get().rest();
                whole = isWhole(guard, place);
            }
            if (!(target instanceof Target.Decide)) {
                effective.add(step);
            }
            if (!take(step, target, guard, behind) && whole) {
                return Optional.of(false);
            }
        }
        return Optional.empty();
    }

    private static boolean isWhole(Rule guard, Place place) {
        return asked(guard, guard.family())
                .equals(asked(place.guard(), place.guard().family()));
    }

    private Optional<Exceptions> exceptions(Step step, Rule rule, Rule guard) {
        try {
            return Exceptions.of(rule, guard);
        } catch (Refused e) {
            refuse(step, e.why());
            return Optional.empty();
        }
    }

    /** The match of a rule, without its action. */
    private static Rule asked(Rule rule, Optional<Family> family) {
        return new Rule(
                Optional.empty(),
                family,
                rule.source(),
                rule.destination(),
                rule.protocol(),
                rule.sourcePorts(),
                rule.destinationPorts(),
                rule.tcpFlags(),
                rule.icmpType(),
                rule.srh(),
                rule.outerSource(),
                rule.args(),
                rule.established(),
                Verb.DROP,
                false);
    }

    private Optional<Rule> guarded(Rule guard, Rule match, Step step) {
        try {
            Optional<Rule> both = Conjunction.of(guard, match);
            if (both.isEmpty()) {
                vain.add(step);
            }
            return both;
        } catch (Refused e) {
            refuse(step, e.why());
            return Optional.empty();
        }
    }

    private static Rule logged(Rule rule) {
        return new Rule(
                rule.name(),
                rule.family(),
                rule.source(),
                rule.destination(),
                rule.protocol(),
                rule.sourcePorts(),
                rule.destinationPorts(),
                rule.tcpFlags(),
                rule.icmpType(),
                rule.srh(),
                rule.outerSource(),
                rule.args(),
                rule.established(),
                rule.verb(),
                true);
    }

    /** False if the packets of the guard are decided. */
    private boolean take(Step step, Target target, Rule guard, Place behind) {
        if (target instanceof Target.Decide decide) {
            add(step, guard, decide.verb());
            return false;
        }
        if (target instanceof Target.Return) {
            goOn(step, behind.behind(), guard);
            return false;
        }
        if (target instanceof Target.Jump jump) {
            return jump(step, jump, guard, behind);
        }
        if (target instanceof Target.Log && !guard.log()) {
            goOn(step, behind, logged(guard));
            return false;
        }
        return true;
    }

    private boolean jump(Step step, Target.Jump jump, Rule guard, Place behind) {
        if (!chains.containsKey(jump.chain())) {
            refuse(step, "there is no chain " + jump.chain());
            return true;
        }
        if (behind.depth() == DEEPEST) {
            refuse(step, "chains lead to each other more than " + DEEPEST + " deep");
            return true;
        }
        Place back = jump.back() ? behind : behind.behind();
        boolean on = follow(new Place(steps(jump.chain()), 0, 0, back, guard, behind.depth() + 1));
        if (on && !jump.back()) {
            goOn(step, back, guard);
            return false;
        }
        return on;
    }

    /** Continues at a position, for these packets only; at the end of all lines, with the policy. */
    private void goOn(Step step, @Nullable Place place, Rule guard) {
        for (Place at = place; at != null; at = at.behind()) {
            Place narrowed = new Place(at.steps(), at.at(), at.branch(), at.behind(), guard, at.depth());
            if (!follow(narrowed)) {
                return;
            }
        }
        add(step, guard, policy);
    }

    private void add(Step step, Rule match, Verb verb) {
        Rule rule = new Rule(
                Optional.empty(),
                match.family(),
                match.source(),
                match.destination(),
                match.protocol(),
                match.sourcePorts(),
                match.destinationPorts(),
                match.tcpFlags(),
                match.icmpType(),
                match.srh(),
                match.outerSource(),
                match.args(),
                match.established(),
                verb,
                step.log() || match.log());
        if (!stopped.isEmpty()) {
            return;
        }
        Optional<String> fault = faults.computeIfAbsent(rule, ImportCheck::fault);
        if (fault.isPresent()) {
            refuse(step, fault.get());
        } else if (ImportCheck.isVain(rule)) {
            vain.add(step);
        } else if (rows + ImportCheck.rows(rule) > MOST_RULES) {
            refuse(step, FULL);
            stopped =
                    "it stands behind line " + step.line() + ", with which a firewall has as many rows as it can have";
        } else {
            rows += ImportCheck.rows(rule);
            rules.add(rule.named(name(step)));
            effective.add(step);
        }
    }

    /** The name by the comment or the line, so that a rule can be found again in the text. */
    private String name(Step step) {
        String name = step.name().orElse("line-" + step.line());
        int times = names.merge(name, 1, Integer::sum);
        String unique = times == 1 ? name : name + "." + times;
        return times > 1 && names.putIfAbsent(unique, 1) != null
                ? unique + ".line-" + step.line() + "." + rules.size()
                : unique;
    }

    private void refuse(Step step, String why) {
        refused.add(remark(step, why));
        faulty.add(step);
    }

    private static ImportResult.Remark remark(Step step, String why) {
        return new ImportResult.Remark(step.line(), step.text(), why);
    }
}
