// SPDX-License-Identifier: Apache-2.0
package org.sextant.sera.imports;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.SortedMap;
import org.jspecify.annotations.Nullable;
import org.sextant.core.Problem;
import org.sextant.core.ProblemException;
import org.sextant.kit.Family;
import org.sextant.sera.Firewall;
import org.sextant.sera.Rule;
import org.sextant.sera.Verb;

/**
 * One list of rules out of a base chain and those that it leads to. A line that jumps is replaced by those of the other chain,
 * each with what the jump asks for. Where such a line returns, what stands behind the jump is repeated for the packets that
 * return, as rules know no way back:
 *
 * <pre>
 *   -A FORWARD -p tcp -j web          tcp, from a: what is behind the jump (b), then the policy
 *   -A FORWARD b                      tcp, c
 *   -A web -s a -j RETURN       →     b
 *   -A web c
 * </pre>
 *
 * <p>A line of which one rule is refused is refused whole, and the others are what they would be without it: half of a jump
 * would let packets pass, or drop them, that no line of the text speaks of.
 */
final class Inlining {
    private static final int MOST_RULES = Firewall.MOST_ROWS;
    private static final int DEEPEST = 16;
    private static final int MOST_PASSES = 16;
    private static final String VAIN = "no packet comes to this line that it takes: it is left out";

    private final SortedMap<String, Chain> chains;
    private final Map<String, List<Step>> steps = new HashMap<>();
    private final Verb policy;

    /** What takes all packets there are. */
    private final Rule all;

    private final List<Rule> rules = new ArrayList<>();
    private final Set<Imported.Remark> refused = new LinkedHashSet<>();

    /** Lines that are passed over, and that have a fault where they were led to. */
    private final Set<Step> without;

    private final Set<Step> faulty = new HashSet<>();
    private final Set<Imported.Remark> warnings = new LinkedHashSet<>();
    private final Map<String, Integer> names = new HashMap<>();

    /** How many lines were looked at: what repeats itself without end makes no rules at all, perhaps. */
    private int looked;

    private Inlining(SortedMap<String, Chain> chains, Verb policy, Rule all, Set<Step> without) {
        this.all = all;
        this.without = without;
        this.chains = chains;
        this.policy = policy;
    }

    /** Where to go on: behind a line of a chain, and behind what led to that. */
    private record Place(List<Step> steps, int at, @Nullable Place behind, Rule guard, int depth) {}

    /**
     * The rules of a base chain.
     *
     * @param family of all packets that come to the chains; empty: both
     * @throws ProblemException if lines are refused again and again for what is left without others
     */
    static ChainRules run(SortedMap<String, Chain> chains, String base, Verb policy, Optional<Family> family) {
        Set<Imported.Remark> refused = new LinkedHashSet<>();
        Set<Step> without = new HashSet<>();
        for (int pass = 0; pass < MOST_PASSES; pass++) {
            Inlining inlining = new Inlining(chains, policy, asked(Rule.every(policy), family), without);
            inlining.follow(new Place(inlining.steps(base), 0, null, inlining.all, 0));
            refused.addAll(inlining.refused);
            if (inlining.faulty.isEmpty()) {
                return new ChainRules(inlining.rules, List.copyOf(refused), List.copyOf(inlining.warnings));
            }
            without.addAll(inlining.faulty);
        }
        throw new ProblemException(new Problem(
                Problem.Code.INVALID,
                "",
                "without the lines that are refused others are refused, " + MOST_PASSES + " times over",
                "take out " + refused.iterator().next().text()));
    }

    /** The rules that the lines of a base chain became, and the remarks on these lines. */
    record ChainRules(List<Rule> rules, List<Imported.Remark> refused, List<Imported.Remark> warnings) {}

    private List<Step> steps(String chain) {
        return steps.computeIfAbsent(chain, name -> {
            Chain known = chains.get(name);
            return known == null ? List.of() : known.steps();
        });
    }

    /** All rules from a place on; false if everything of its guard is decided, so that nothing need follow. */
    private boolean follow(Place place) {
        for (int i = place.at(); i < place.steps().size(); i++) {
            Step step = place.steps().get(i);
            if (++looked > 16 * MOST_RULES || rules.size() > MOST_RULES) {
                tooLong(step);
                return false;
            }
            if (without.contains(step)) {
                continue;
            }
            if (step.refusal().isPresent()) {
                refused.add(remark(step, step.refusal().get()));
                continue;
            }
            step.warnings().forEach(warning -> warnings.add(remark(step, warning)));
            Place behind = new Place(place.steps(), i + 1, place.behind(), place.guard(), place.depth());
            for (Rule match : step.matches()) {
                Optional<Rule> guarded = guarded(place.guard(), match, step);
                if (guarded.isEmpty()) {
                    continue;
                }
                boolean whole = asked(guarded.get(), guarded.get().family())
                        .equals(asked(place.guard(), place.guard().family()));
                if (whole && step.target() instanceof Target.Return) {
                    return true;
                }
                if (!take(step, guarded.get(), behind) && whole) {
                    return false;
                }
            }
        }
        return true;
    }

    /** What a rule asks for, whatever it does then. */
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
                warnings.add(remark(step, VAIN));
            }
            return both;
        } catch (Refused e) {
            refuse(step, e.why());
            return Optional.empty();
        }
    }

    /** False if the packets of the guard are decided. */
    private boolean take(Step step, Rule guard, Place behind) {
        Target target = step.target();
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
        return true;
    }

    private boolean jump(Step step, Target.Jump jump, Rule guard, Place behind) {
        if (behind.depth() == DEEPEST || !chains.containsKey(jump.chain())) {
            refuse(
                    step,
                    behind.depth() == DEEPEST
                            ? "chains lead to each other more than " + DEEPEST + " deep"
                            : "there is no chain " + jump.chain());
            return true;
        }
        Place back = jump.back() ? behind : behind.behind();
        boolean on = follow(new Place(steps(jump.chain()), 0, back, guard, behind.depth() + 1));
        if (on && !jump.back()) {
            goOn(step, back, guard);
            return false;
        }
        return on;
    }

    /** What stands at a place, for these packets only; at the end of all, what the policy says. */
    private void goOn(Step step, @Nullable Place place, Rule guard) {
        for (Place at = place; at != null; at = at.behind()) {
            Place narrowed = new Place(at.steps(), at.at(), at.behind(), guard, at.depth());
            if (!follow(narrowed)) {
                return;
            }
        }
        add(step, guard, policy);
    }

    private void add(Step step, Rule match, Verb verb) {
        if (rules.size() > MOST_RULES) {
            return;
        }
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
                step.log());
        Optional<String> fault = Postable.fault(rule);
        if (fault.isPresent()) {
            refuse(step, fault.get());
        } else if (Postable.isVain(rule)) {
            warnings.add(remark(step, VAIN));
        } else {
            rules.add(rule.named(name(step)));
        }
    }

    /** By its comment or its line, so that a rule is found again in the text. */
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

    private void tooLong(Step step) {
        refused.add(remark(
                step,
                "with what returns from other chains repeated, these are more than " + MOST_RULES
                        + " rules: write the chain without RETURN"));
    }

    private static Imported.Remark remark(Step step, String why) {
        return new Imported.Remark(step.line(), step.text(), why);
    }
}
