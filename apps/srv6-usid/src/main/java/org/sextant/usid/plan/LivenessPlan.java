// SPDX-License-Identifier: Apache-2.0
package org.sextant.usid.plan;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.stream.Stream;
import org.sextant.core.intent.AllocationRequest;
import org.sextant.core.intent.CompileContext;
import org.sextant.core.intent.NumberedIntent;
import org.sextant.core.intent.Plan.Placed;
import org.sextant.core.sid.Trace;
import org.sextant.core.table.Liveness;
import org.sextant.core.table.SidList;
import org.sextant.kit.Family;
import org.sextant.kit.Findings;
import org.sextant.kit.SidLists;
import org.sextant.kit.path.Resolver;
import org.sextant.usid.LivenessTerms;
import org.sextant.usid.Policy;
import org.sextant.usid.Policy.Candidates;
import org.sextant.usid.plan.CandidatePaths.Tried;

/**
 * The lists and probes that let the headend of a policy switch to the next candidate path by itself: all valid ones are
 * installed, each with its probes, and each has the next one as its backup.
 *
 * <pre>
 *   candidate      0        2        3         by preference; 1 is not valid
 *   list           base     base+8   base+12   of IPv6; 2 more for IPv4
 *   probes         base+1   base+9   base+13
 *   backup         base+8   base+12  0
 * </pre>
 *
 * A candidate path keeps its ids as long as the policy has as many candidate paths: when another becomes the active
 * one, its list is installed already, and the node's own choice remains until the steering changes.
 *
 * @param valid the best first; the first is the active one
 * @param base of the ids of its lists
 */
record LivenessPlan(LivenessTerms terms, List<Tried> valid, long base) {
    private static final String FIELD = "/liveness";

    /** The ids of a candidate path: a list and its probes, for each family. */
    private static final int LISTS = 4;

    /** The mean time between probes, as a share of the interval: each is shortened by 0 to 25 % at random. */
    private static final double INTERVAL_SHARE = 0.875;

    LivenessPlan {
        valid = List.copyOf(valid);
    }

    /** Reports a headend without liveness detection. One that never connected passes. */
    static void check(Candidates form, CompileContext context, Findings findings) {
        if (form.terms().liveness().isEmpty()) {
            return;
        }
        new Resolver(context.network(), new Findings())
                .node(form.headend(), "")
                .filter(node -> context.capabilities(node.name())
                        .filter(can -> !can.offers(Liveness.TABLE, Liveness.ACTION))
                        .isPresent())
                .ifPresent(node -> findings.unfeasible(
                        FIELD,
                        "the pipeline of headend " + node.name() + " has no action " + Liveness.ACTION + " in table "
                                + Liveness.TABLE + ": only Linux nodes watch paths",
                        "leave liveness out, or enter at a Linux node"));
    }

    /** Empty if the policy has no liveness detection or no valid path; with a finding if no ids are left. */
    static Optional<LivenessPlan> of(
            NumberedIntent<Policy> policy,
            Candidates form,
            CandidatePaths candidates,
            CompileContext context,
            Findings findings) {
        Optional<LivenessTerms> terms = form.terms().liveness();
        List<Tried> valid = candidates.valid();
        if (terms.isEmpty() || valid.isEmpty()) {
            return Optional.empty();
        }
        String headend = valid.get(0).planned().get(0).direction().headend().name();
        AllocationRequest claim =
                new AllocationRequest(SidLists.IDS, 0).many(LISTS * form.paths().size());
        OptionalLong base = context.claim(policy, claim.at(headend));
        if (base.isEmpty()) {
            findings.unfeasible(
                    FIELD,
                    "headend " + headend + " has no ids of segment lists left",
                    "delete policies that have some");
            return Optional.empty();
        }
        LivenessPlan watching = new LivenessPlan(terms.get(), valid, base.getAsLong());
        watching.warn(findings);
        return Optional.of(watching);
    }

    private void warn(Findings findings) {
        if (valid.size() == 1) {
            findings.warn("candidate path " + valid.get(0).candidate().preference()
                    + " is watched, and nothing is used in its place: it is the only valid one");
        }
        for (Tried backup : valid.subList(1, valid.size())) {
            backup.findings()
                    .warnings()
                    .forEach(warning -> findings.warn(
                            "candidate path " + backup.candidate().preference() + ", which may be used: " + warning));
        }
    }

    /** The list into which packets of a direction are steered. */
    int active(Direction direction) {
        return list(valid.get(0), direction);
    }

    private int list(Tried path, Direction direction) {
        return (int) (base + (long) LISTS * path.index() + (direction.family() == Family.IPV6 ? 0 : 2));
    }

    /** All lists, their probes, and their liveness entries. */
    List<Placed> entries() {
        List<Placed> entries = new ArrayList<>();
        for (int i = 0; i < valid.size(); i++) {
            for (Direction direction : directions(valid.get(i))) {
                entries(i, direction, entries);
            }
        }
        return entries;
    }

    private void entries(int rank, Direction direction, List<Placed> entries) {
        Tried path = valid.get(rank);
        String headend = direction.headend().name();
        int id = list(path, direction);
        List<SidList.Member> members = new ArrayList<>();
        List<SidList.Member> probes = new ArrayList<>();
        for (int i = 0; i < path.planned().size(); i++) {
            PlannedPath one = path.planned().get(i);
            if (one.direction() == direction) {
                int weight = one.branch().weight();
                members.add(new SidList.Member(weight, one.segments()));
                probes.add(new SidList.Member(weight, path.loops().get(i).segments()));
            }
        }
        entries.add(new Placed(headend, new SidList(id, members)));
        entries.add(new Placed(headend, new SidList(id + 1, probes)));
        entries.add(new Placed(
                headend,
                new Liveness(
                        id,
                        id + 1,
                        1000 * terms.intervalMillis(),
                        terms.multiplier(),
                        terms.holdDownMillis(),
                        instead(rank, direction))));
    }

    /** The list of the next candidate that has packets of the family, or 0. */
    private int instead(int rank, Direction direction) {
        return valid.subList(rank + 1, valid.size()).stream()
                .flatMap(next -> directions(next).stream()
                        .filter(one -> one.family() == direction.family())
                        .map(one -> list(next, one)))
                .findFirst()
                .orElse(0);
    }

    private static List<Direction> directions(Tried path) {
        return path.planned().stream().map(PlannedPath::direction).distinct().toList();
    }

    /** All paths that packets may take: that of the active candidate, and its backups. */
    List<PlannedPath> ways() {
        return valid.stream().flatMap(path -> path.planned().stream()).toList();
    }

    /** The paths of the probes. */
    Stream<Trace> loops() {
        return valid.stream().flatMap(path -> path.loops().stream()).map(Loop::trace);
    }

    /**
     * The load of probes while none is lost, in bits per second by id of the link. The agent sends the probes of each
     * member of a list separately, every 7/8 of the interval on average (RFC 5880, 6.8.7).
     */
    Map<String, Long> probeLoad() {
        Map<String, Long> load = new HashMap<>();
        double perSecond = 1000 / (INTERVAL_SHARE * terms.intervalMillis());
        valid.stream().flatMap(path -> path.loops().stream()).forEach(loop -> {
            long bits = Math.round(perSecond * 8 * loop.frameBytes());
            loop.trace().links().forEach(link -> load.merge(link, bits, Long::sum));
        });
        return load;
    }

    /** The lists with their candidate paths, the active one's first. */
    List<LivenessList> shown() {
        return valid.stream()
                .flatMap(path -> directions(path).stream()
                        .map(direction -> new LivenessList(
                                path.index(),
                                path.candidate().preference(),
                                direction.headend().name(),
                                direction.family().spelling().intern(),
                                list(path, direction))))
                .toList();
    }
}
