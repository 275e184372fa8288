// SPDX-License-Identifier: Apache-2.0
package org.sextant.sera.imports;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeSet;
import java.util.stream.Stream;
import org.sextant.sera.Verb;
import org.sextant.sera.imports.ImportResult.Remark;

/**
 * A text after reading.
 *
 * @param chains by their names
 * @param stray lines of no chain, refused
 */
record Ruleset(SortedMap<String, Chain> chains, List<Step> stray) {

    /**
     * Lines without a part in the firewall of a base chain although its packets pass them: those of no chain, and those
     * of other base chains on the packets' path.
     */
    List<Remark> besides(String base) {
        List<Remark> remarks = new ArrayList<>();
        stray.forEach(step -> remarks.add(remark(step, step.refusal().orElse(""))));
        Optional<Hook> own = Optional.ofNullable(chains.get(base)).flatMap(Chain::hook);
        chains.forEach((name, chain) -> chain.hook()
                .filter(hook -> !name.equals(base)
                        && own.filter(mine -> mine.sharesPackets(hook)).isPresent())
                .ifPresent(hook -> remarks.addAll(lost(name, chain, hook))));
        return remarks;
    }

    /** The effective steps of a base chain and of the chains it jumps to; none if packets pass it unchanged. */
    private List<Remark> lost(String name, Chain base, Hook hook) {
        TreeSet<String> reached = new TreeSet<>();
        reach(name, reached);
        List<Step> steps = reached.stream()
                .flatMap(chain -> chains.getOrDefault(chain, new Chain()).steps().stream())
                .toList();
        boolean drops = base.policy().filter(verb -> verb == Verb.DROP).isPresent();
        if (!drops && steps.stream().noneMatch(this::matters)) {
            return List.of();
        }
        List<Remark> remarks = new ArrayList<>();
        steps.stream().filter(step -> !isCount(step)).forEach(step -> remarks.add(remark(step, why(step, hook))));
        if (drops) {
            base.policyStep().ifPresent(step -> remarks.add(remark(step, judges(hook))));
        }
        return remarks;
    }

    private void reach(String name, TreeSet<String> reached) {
        if (!reached.add(name)) {
            return;
        }
        for (Step step : chains.getOrDefault(name, new Chain()).steps()) {
            step.targets().stream()
                    .flatMap(target -> target instanceof Target.Jump jump ? Stream.of(jump) : Stream.empty())
                    .forEach(jump -> reach(jump.chain(), reached));
        }
    }

    private boolean matters(Step step) {
        return isForeign(step)
                || step.log()
                || step.targets().stream()
                        .anyMatch(target -> target instanceof Target.Log
                                || target instanceof Target.Decide decide && decide.verb() != Verb.ACCEPT);
    }

    /** True if the step has no counterpart in a firewall: a target that is no chain is one of the kernel's. */
    private boolean isForeign(Step step) {
        return step.refusal().isPresent()
                || step.targets().stream()
                        .anyMatch(target -> target instanceof Target.Jump jump && !chains.containsKey(jump.chain()));
    }

    private static boolean isCount(Step step) {
        return step.refusal().isEmpty()
                && !step.log()
                && step.targets().stream().allMatch(Target.Count.class::isInstance);
    }

    private String why(Step step, Hook hook) {
        return isForeign(step)
                ? hook.table() + " changes packets or marks them, which a firewall here does not"
                : judges(hook);
    }

    private static String judges(Hook hook) {
        return hook.table() + " judges packets of the chain asked for at hook " + hook.name()
                + ", and only one base chain becomes a firewall";
    }

    private static Remark remark(Step step, String why) {
        return new Remark(step.line(), step.text(), why);
    }
}
