// SPDX-License-Identifier: Apache-2.0
package org.sextant.core.sid;

import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.sextant.core.filter.Box;
import org.sextant.core.filter.Facts;
import org.sextant.core.filter.RuleSet;
import org.sextant.core.filter.Verdict;
import org.sextant.core.ip.Ipv6;
import org.sextant.core.sid.Trace.Branch;
import org.sextant.core.sid.Trace.Failure;
import org.sextant.core.sid.Trace.Reason;
import org.sextant.core.table.MySid;
import org.sextant.core.table.Sera;

/** Evaluates firewalls for the packets of a walk: a walk goes on with every verdict that they can get. */
final class WalkFirewalls {
    private final Walk walk;
    private final Asked asked;
    private final boolean alone;
    private final Map<List<Object>, Branch> branches = new LinkedHashMap<>();
    private final Map<Question, Map<Verdict, Set<String>>> judged = new HashMap<>();

    private WalkFirewalls(Walk walk, Asked asked, boolean alone) {
        this.walk = walk;
        this.asked = asked;
        this.alone = alone;
    }

    /** Judges packets that are in one of the boxes. */
    static WalkFirewalls of(Walk walk, List<Box> traffic) {
        return new WalkFirewalls(
                walk, (rules, sera, header) -> FirewallVerdicts.verdicts(rules, sera, header, traffic), false);
    }

    /** Judges one packet: it gets one verdict, and if that is to drop it, it does not arrive. */
    static WalkFirewalls of(Walk walk, Facts packet) {
        return new WalkFirewalls(
                walk, (rules, sera, header) -> FirewallVerdicts.verdict(rules, sera, header, packet), true);
    }

    /** The verdicts at a firewall, with their rules. */
    private interface Asked {
        Map<Verdict, Set<String>> verdicts(RuleSet rules, Sera sera, Header header);
    }

    /** The inputs of a firewall: its verdicts do not depend on the hop limit. */
    private record Question(String node, Ipv6 destination, Optional<Header.Srh> srh, Inner inner) {}

    /** All branches, in the order of the walk. */
    List<Branch> branches() {
        return List.copyOf(branches.values());
    }

    /** Follows every verdict that packets can get here; the packet's own path is that of the first with a next step. */
    Steps judge(State at, MySid own, Sera firewall, String name, @Nullable VisitedStates trail) {
        Optional<RuleSet> rules = walk.fib().firewall(at.node(), firewall.firewall());
        if (rules.isEmpty()) {
            return Steps.fail(at, name, Reason.NO_FIREWALL, "has no rules for the firewall at " + own.sid());
        }
        Optional<Steps> malformed = Steps.beyondList(at, name);
        if (malformed.isPresent()) {
            return malformed.get();
        }
        Map<Verdict, Set<String>> verdicts = judged.computeIfAbsent(
                new Question(
                        at.node(),
                        at.header().destination(),
                        at.header().srh(),
                        at.header().inner()),
                question -> asked.verdicts(rules.get(), firewall, at.header()));
        @Nullable Steps first = null;
        for (Map.Entry<Verdict, Set<String>> verdict : verdicts.entrySet()) {
            if (verdict.getKey() == Verdict.DROP) {
                branch(at, verdict.getKey(), verdict.getValue(), Steps.dropped(at, name));
                if (alone) {
                    return Steps.fail(at, name, Reason.DROPPED, "drops it: " + said(at, own, verdict));
                }
                continue;
            }
            Steps steps = obey(at, firewall, name, verdict.getKey(), trail);
            branch(at, verdict.getKey(), verdict.getValue(), steps);
            if (steps.failure() != null) {
                return blame(steps, at, own, verdict);
            }
            first = first == null ? steps : first;
        }
        // If every packet is dropped, the trace shows the path that it would take.
        return first != null ? first : obey(at, firewall, name, Verdict.GO_NEXT, trail);
    }

    private Steps obey(State at, Sera firewall, String name, Verdict verdict, @Nullable VisitedStates trail) {
        Verdict said = verdict;
        if (verdict == Verdict.EVAL_ARGS) {
            long arguments = Program.arguments(firewall, at.header().destination());
            Optional<Verdict> meant = Verdict.ofArguments(arguments);
            if (meant.isEmpty()) {
                return Steps.fail(
                        at,
                        name,
                        Reason.UNKNOWN_ARGUMENTS,
                        "finds the arguments " + arguments + " in "
                                + at.header().destination()
                                + ", which say neither goNext (0) nor skipNext (1) nor goLast (2)");
            }
            said = meant.get();
        }
        if (at.header().hopLimit() <= 1) {
            return Steps.outOfHops(at, name);
        }
        Optional<Header> next = Program.after(said, firewall, at.header());
        return next.isEmpty()
                ? Steps.fail(
                        at,
                        name,
                        Reason.NOWHERE_TO_GO,
                        "finds nothing behind " + at.header().destination() + " that " + said.text() + " could lead to")
                : walk.pass(at, name, next.get(), Optional.empty(), trail);
    }

    /** States that differ in the hop limit, or in the path to the node, are the same branch. */
    private void branch(State at, Verdict verdict, Set<String> rules, Steps steps) {
        branches.putIfAbsent(
                List.of(at.node(), at.header().destination(), at.header().segmentsLeft(), verdict),
                new Branch(
                        at.node(),
                        at.header().destination(),
                        verdict,
                        List.copyOf(rules),
                        steps.hops(),
                        Optional.ofNullable(steps.arrival())));
    }

    private static Steps blame(Steps steps, State at, MySid own, Map.Entry<Verdict, Set<String>> verdict) {
        Failure failure = Objects.requireNonNull(steps.failure());
        return new Steps(
                steps.hop(),
                steps.rest(),
                null,
                new Failure(failure.node(), failure.reason(), failure.message() + "; " + said(at, own, verdict)));
    }

    private static String said(State at, MySid own, Map.Entry<Verdict, Set<String>> verdict) {
        return "rule \"" + verdict.getValue().iterator().next() + "\" of the firewall at " + own.sid() + " on node "
                + at.node() + " says " + verdict.getKey().text();
    }
}
