// SPDX-License-Identifier: Apache-2.0
package org.sextant.mobile.slice;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.TreeSet;
import org.sextant.core.intent.AllocationRequest;
import org.sextant.core.intent.CompileContext;
import org.sextant.core.intent.Dependence;
import org.sextant.core.intent.Explained;
import org.sextant.core.intent.NumberedIntent;
import org.sextant.core.intent.Plan;
import org.sextant.core.intent.Plan.Placed;
import org.sextant.core.intent.Pool;
import org.sextant.core.ip.IpAddress;
import org.sextant.core.ip.IpPrefix;
import org.sextant.core.passage.Packets;
import org.sextant.core.passage.Passage;
import org.sextant.core.passage.Place;
import org.sextant.core.table.Behavior;
import org.sextant.core.table.EdgeSid;
import org.sextant.core.table.GtpRule;
import org.sextant.core.table.MySid;
import org.sextant.core.table.SidList;
import org.sextant.core.underlay.GtpSids.Taking;
import org.sextant.kit.Family;
import org.sextant.kit.Findings;
import org.sextant.kit.SidLists;
import org.sextant.mobile.Mode;
import org.sextant.mobile.Slice;
import org.sextant.mobile.slice.SliceHandle.Downlink;
import org.sextant.mobile.slice.SliceHandle.Forward;

/**
 * Compiles a slice: at each gateway rules and segment lists, at the far end the SIDs that restore GTP-U. Every plan is
 * traced from gateway to gateway with arguments in its last SID, on every equally short path.
 *
 * <p>Pure.
 */
final class SliceCompiler {
    static final Pool CLASSES = new Pool("gtp_class", 1, 0xffff);

    /** The maximum of one slice; a gateway has 1,024 for all slices. */
    private static final int MOST_RULES = 256;

    Plan compile(NumberedIntent<Slice> intent, CompileContext context) {
        Findings findings = new Findings();
        Optional<SliceEnds> ends = SliceEnds.resolve(intent.intent(), context.network(), findings);
        OptionalLong number = context.claim(intent, new AllocationRequest(CLASSES, 0));
        if (number.isEmpty()) {
            findings.unfeasible("", "all 65,535 classes of sessions are taken", "remove slices that are not needed");
        }
        if (intent.intent().core().anchor() && intent.intent().mode() == Mode.TRANSPORT) {
            findings.invalid(
                    "/mode", "the transport mode carries GTP whole, and an anchor ends it", "choose a core gateway");
        }
        return ends.isPresent() && findings.clean()
                ? compile(intent, ends.get(), (int) number.getAsLong(), context, findings)
                : refused(findings);
    }

    /** Losing a link, too, may make a slice feasible. */
    private static Plan refused(Findings findings) {
        return new Plan(List.of(), Explained.NOTHING, findings.problems(), findings.warnings(), Dependence.EVERYTHING);
    }

    private static Plan compile(
            NumberedIntent<Slice> intent, SliceEnds ends, int sessionClass, CompileContext context, Findings findings) {
        Slice slice = intent.intent();
        SlicePaths builder = new SlicePaths(ends, context.underlay(), findings);
        Direction up = ends.uplink();
        List<SlicePath> ways = new ArrayList<>(builder.of(up));
        Optional<Direction> down = ends.downlink(context.network(), findings);
        down.ifPresent(direction -> ways.addAll(builder.of(direction)));
        new Requirements(ends, context, findings).of(ways);
        if (!findings.clean()) {
            return refused(findings);
        }
        SliceRules.Lists lists = way -> list(intent, way, context);
        List<Placed> entries = new ArrayList<>(sids(ends, ways, context));
        entries.addAll(lists(ways, lists));
        entries.addAll(rules(slice, sessionClass, up, ways, lists, builder, findings));
        if (!slice.core().anchor()) {
            entries.addAll(rules(slice, sessionClass, down.orElseThrow(), ways, lists, builder, findings));
        }
        if (!findings.clean()) {
            return refused(findings);
        }
        Optional<Downlink> downlink = slice.core().anchor()
                ? Optional.of(downlink(down.orElseThrow(), ways, lists, builder))
                : Optional.empty();
        SliceHandle handle = new SliceHandle(slice, sessionClass, downlink, forward(slice, up, ways, lists, builder));
        return new Plan(
                        entries.stream().distinct().toList(),
                        new SliceSummary(handle, ways, findings.warnings()),
                        List.of(),
                        findings.warnings(),
                        dependencies(ways),
                        passages(ends))
                .offering(handle.withoutPaths());
    }

    /**
     * A list with arguments at another place in its last SID has another id: otherwise packets would meet the list of
     * one plan and the rules of the other while both change.
     */
    private static int list(NumberedIntent<Slice> intent, SlicePath way, CompileContext context) {
        int use = 128 * way.ending().list() + way.argumentsAt();
        return (int) context.claim(
                        intent,
                        new AllocationRequest(SidLists.IDS, use)
                                .at(way.direction().from().name()))
                .orElseThrow(() -> new IllegalStateException("2^32 lists are taken"));
    }

    /** The SIDs that restore GTP-U, and those that receive GTP-U over IPv6. */
    private static List<Placed> sids(SliceEnds ends, List<SlicePath> ways, CompileContext context) {
        List<Placed> sids = new ArrayList<>();
        ways.forEach(way -> way.sid()
                .ifPresent(sid -> sids.add(new Placed(way.direction().to().name(), sid))));
        Slice slice = ends.slice();
        if (slice.family() == Family.IPV6) {
            slice.core()
                    .upfs()
                    .forEach(upf -> sids.addAll(taking(ends.access().name(), new IpPrefix(upf, upf.bits()), context)));
            if (!slice.core().anchor()) {
                slice.access()
                        .gnbs()
                        .forEach(gnb -> sids.addAll(taking(ends.core().name(), gnb, context)));
            }
        }
        return sids;
    }

    /** External packets may reach this SID (RFC 9433, 6.5); the edge opens before it exists and closes after it. */
    private static List<Placed> taking(String node, IpPrefix prefix, CompileContext context) {
        boolean filters = context.capabilities(node)
                .map(offered -> offered.offers(EdgeSid.TABLE, "reachable"))
                .orElse(true);
        Placed sid = new Placed(node, new MySid(prefix, new Behavior.Gtp6D()));
        return filters ? List.of(new Placed(node, new EdgeSid(prefix, true)), sid) : List.of(sid);
    }

    private static List<Placed> lists(List<SlicePath> ways, SliceRules.Lists ids) {
        return ways.stream()
                .filter(way -> !way.listed().isEmpty())
                .map(way -> new Placed(
                        way.direction().from().name(),
                        new SidList(ids.of(way), List.of(new SidList.Member(1, way.listed())))))
                .toList();
    }

    private static List<Placed> rules(
            Slice slice,
            int sessionClass,
            Direction direction,
            List<SlicePath> ways,
            SliceRules.Lists lists,
            SlicePaths builder,
            Findings findings) {
        List<SlicePath> own =
                ways.stream().filter(way -> way.direction().equals(direction)).toList();
        List<GtpRule> rules =
                new SliceRules(slice, sessionClass, direction, own, lists, builder.source(direction)).all();
        if (rules.size() > MOST_RULES) {
            findings.unfeasible(
                    "/match",
                    "the slice needs " + rules.size() + " rules at "
                            + direction.from().name() + ", and " + MOST_RULES + " are a slice's",
                    "choose TEID ranges that begin at a multiple of their size, fewer matches, or sessions");
        }
        return rules.stream()
                .map(rule -> new Placed(direction.from().name(), rule))
                .toList();
    }

    private static Downlink downlink(
            Direction direction, List<SlicePath> ways, SliceRules.Lists lists, SlicePaths builder) {
        SlicePath way = ways.stream()
                .filter(one -> one.direction().equals(direction) && one.ending() == EndTreatment.GTP)
                .findFirst()
                .orElseThrow();
        Optional<Taking> source = builder.source(direction);
        return new Downlink(
                way.listed().isEmpty() ? 0 : lists.of(way),
                way.argumentsAt(),
                way.behind(),
                source.map(
                        taking -> (org.sextant.core.ip.Ipv6) taking.sid().sid().address()),
                source.map(Taking::at).orElse(0));
    }

    private static Optional<Forward> forward(
            Slice slice, Direction direction, List<SlicePath> ways, SliceRules.Lists lists, SlicePaths builder) {
        Optional<Taking> source = builder.source(direction);
        return ways.stream()
                .filter(one -> one.direction().equals(direction) && one.ending() == EndTreatment.FORWARDED)
                .findFirst()
                .map(way -> new Forward(
                        lists.of(way),
                        new IpPrefix(way.listed().get(way.listed().size() - 1), way.argumentsAt()),
                        source.map(taking ->
                                (org.sextant.core.ip.Ipv6) taking.sid().sid().address()),
                        source.map(Taking::at).orElse(0),
                        slice.dropsSequence()));
    }

    private static Dependence dependencies(List<SlicePath> ways) {
        Set<String> dependencies = new TreeSet<>();
        ways.forEach(way -> {
            dependencies.addAll(way.trace().nodes());
            dependencies.addAll(way.trace().links());
        });
        return Dependence.on(dependencies);
    }

    /** GTP-U leaves as it entered, between two gateways. */
    private static List<Passage> passages(SliceEnds ends) {
        Slice slice = ends.slice();
        List<Passage> passages = new ArrayList<>();
        if (slice.core().anchor()) {
            return passages;
        }
        Place access = new Place(ends.access().name(), 0);
        Place core = new Place(ends.core().name(), 0);
        for (IpPrefix gnb : slice.access().gnbs()) {
            for (IpAddress address : slice.core().upfs()) {
                IpPrefix upf = new IpPrefix(address, address.bits());
                passages.add(passage(access, gnb, upf, core));
                passages.add(passage(core, upf, gnb, access));
            }
        }
        return passages;
    }

    private static Passage passage(Place from, IpPrefix source, IpPrefix destination, Place exit) {
        Packets packets =
                new Packets(source, destination, Optional.of(Gtp.UDP), Optional.empty(), Optional.of(Gtp.PORT));
        return new Passage(from, packets, Passage.Rule.BEFORE_ROUTES, List.of(exit));
    }
}
