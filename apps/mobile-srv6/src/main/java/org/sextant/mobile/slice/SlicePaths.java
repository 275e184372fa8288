// SPDX-License-Identifier: Apache-2.0
package org.sextant.mobile.slice;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.sextant.core.ip.IpAddress;
import org.sextant.core.ip.Ipv4;
import org.sextant.core.ip.Ipv6;
import org.sextant.core.net.Node;
import org.sextant.core.sid.Arguments;
import org.sextant.core.sid.Atom;
import org.sextant.core.sid.Container;
import org.sextant.core.sid.Encapsulation;
import org.sextant.core.sid.Fib;
import org.sextant.core.sid.Packing;
import org.sextant.core.sid.Payload;
import org.sextant.core.sid.Trace;
import org.sextant.core.sid.Walk;
import org.sextant.core.table.Behavior;
import org.sextant.core.table.MySid;
import org.sextant.core.underlay.GtpSids;
import org.sextant.core.underlay.GtpSids.Taking;
import org.sextant.core.underlay.SidPlan;
import org.sextant.core.underlay.Underlay;
import org.sextant.kit.Family;
import org.sextant.kit.Findings;
import org.sextant.kit.MtuCheck;
import org.sextant.kit.PlannedFib;
import org.sextant.kit.path.AtomPath;
import org.sextant.kit.path.Hops;
import org.sextant.mobile.Mode;
import org.sextant.mobile.Session;
import org.sextant.mobile.Slice;

/** Packs and traces the paths of a slice. */
record SlicePaths(SliceEnds ends, Underlay underlay, Findings findings) {

    /** The arguments of a traced packet: those of an arbitrary session. */
    private static final long SAMPLE = Session.arguments(9, false, 0x12345678);

    /** The paths of a direction; empty or incomplete if there are problems. */
    List<SlicePath> of(Direction direction) {
        Optional<AtomPath> path = path(direction);
        if (path.isEmpty()) {
            return List.of();
        }
        List<SlicePath> ways = new ArrayList<>();
        for (EndTreatment ending : endings(direction)) {
            end(direction, ending)
                    .flatMap(end -> way(direction, path.get(), ending, end))
                    .ifPresent(ways::add);
        }
        return ways;
    }

    private List<EndTreatment> endings(Direction direction) {
        Slice slice = ends.slice();
        if (slice.mode() == Mode.TRANSPORT) {
            return List.of(EndTreatment.WHOLE);
        }
        boolean intoAnchor = slice.core().anchor() && direction.up();
        boolean outOfAnchor = slice.core().anchor() && !direction.up();
        List<EndTreatment> endings =
                new ArrayList<>(intoAnchor ? List.of(EndTreatment.IPV4, EndTreatment.IPV6) : List.of(EndTreatment.GTP));
        if (slice.carries() && !outOfAnchor) {
            endings.add(EndTreatment.WHOLE);
        }
        if (intoAnchor && slice.family() == Family.IPV4) {
            endings.add(EndTreatment.FORWARDED);
        }
        return endings;
    }

    private Optional<AtomPath> path(Direction direction) {
        int before = findings.count();
        AtomPath path = new Hops(underlay, findings).from(direction.from(), direction.hops(), direction.field());
        if (findings.count() == before && path.closed()) {
            findings.invalid(
                    direction.field(),
                    "the hops end in a SID that decapsulates, and the slice ends at "
                            + direction.to().name(),
                    "leave that SID out");
        }
        if (findings.count() == before
                && !path.at().name().equals(direction.to().name())) {
            path.loose(direction.to(), direction.field());
        }
        return findings.count() == before ? Optional.of(path) : Optional.empty();
    }

    /** The last atom of a path, and the SID that its node needs. */
    private record End(Atom atom, int at, Optional<MySid> sid) {}

    private Optional<End> end(Direction direction, EndTreatment ending) {
        GtpSids sids = direction.sids().gtp();
        Slice slice = ends.slice();
        boolean four = slice.family() == Family.IPV4;
        Optional<End> end = switch (ending) {
            case GTP ->
                (four ? sids.gtp4E(direction.way(), slice.container()) : sids.gtp6E(direction.way(), slice.container()))
                        .map(taking -> new End(taking.end(), taking.at(), Optional.of(taking.sid())));
            case IPV4, IPV6, FORWARDED ->
                sids.decapsulation(ending.inside()).map(atom -> new End(atom, 0, Optional.empty()));
            case WHOLE ->
                Optional.of(new End(marker(direction.to(), slice.family().inside()), 0, Optional.empty()));
        };
        if (end.isEmpty()) {
            noRoom(direction, four && ending == EndTreatment.GTP ? GtpSids.GTP4_BITS : GtpSids.SESSION_BITS, ending);
        }
        return end;
    }

    private static Atom marker(Node node, Behavior.Family family) {
        SidPlan plan = SidPlan.of(node).orElseThrow();
        return Atom.Compressed.of(plan.srv6().block(), plan.format(), plan.usid(), plan.markerUsid(family))
                .closing();
    }

    private void noRoom(Direction direction, int bits, EndTreatment ending) {
        SidPlan plan = direction.sids();
        String node = direction.to().name();
        findings.unfeasible(
                direction.up() ? "/core" : "/access/gateway",
                "node " + node + " has no SID with room for " + bits + " bits of arguments: its format is "
                        + plan.format().name()
                        + (ending == EndTreatment.GTP && bits == GtpSids.GTP4_BITS && !plan.numbered()
                                ? ", and the /44 numbering does not apply to its uSID 0x"
                                        + Long.toHexString(plan.usid())
                                : ""),
                ending == EndTreatment.GTP
                        ? "give it a \"gtpLocator\" in the network description, a prefix of its own of at most 48 bits"
                        : "choose \"mode\": \"transport\", or a core gateway");
    }

    private Optional<SlicePath> way(Direction direction, AtomPath path, EndTreatment ending, End end) {
        boolean outOfAnchor = ends.slice().core().anchor() && !direction.up();
        List<Container> containers = outOfAnchor || ending == EndTreatment.FORWARDED
                ? packedApart(path, end)
                : Packing.pack(path.closedBy(end.atom()));
        Container last = containers.get(containers.size() - 1);
        int at = last.argumentsAt() > 0 ? last.argumentsAt() : end.at();
        boolean apart = outOfAnchor && ends.slice().family() == Family.IPV4;
        List<Ipv6> template = containers.stream().map(Container::sid).toList();
        List<Ipv6> listed = apart ? template.subList(0, template.size() - 1) : template;
        Optional<Arguments> sample = sample(ending, direction);
        List<Ipv6> sent = sent(direction, ending, template, at, sample);
        Fib fib = new PlannedFib(
                underlay.fib(), direction.to().name(), end.sid().stream().toList());
        Payload payload =
                Payload.of(ending == EndTreatment.WHOLE ? ends.slice().family().inside() : ending.inside());
        Trace trace = sample.map(
                        arguments -> Walk.encapsulate(fib, direction.from().name(), sent, arguments, payload))
                .orElseGet(() -> Walk.encapsulate(fib, direction.from().name(), true, sent, payload));
        if (!trace.arrives()) {
            findings.unfeasible(
                    direction.field(),
                    "the " + direction.word() + " fails: "
                            + trace.failure().orElseThrow().message(),
                    "choose other hops");
            return Optional.empty();
        }
        MtuCheck mtu = MtuCheck.of(
                Encapsulation.reducedBytes(sent.size()) + (ending == EndTreatment.WHOLE ? Gtp.bytes(ends.slice()) : 0),
                trace.links(),
                underlay);
        mtu.warn(findings);
        return Optional.of(new SlicePath(
                direction,
                ending,
                listed,
                apart ? Optional.of(template.get(template.size() - 1)) : Optional.empty(),
                at,
                end.sid(),
                sample,
                sent,
                trace,
                mtu));
    }

    /** Packs the end in a container of its own, so that sessions keep their entries when the slice's path changes. */
    private static List<Container> packedApart(AtomPath path, End end) {
        List<Atom> atoms = path.closedBy(end.atom());
        List<Container> containers = new ArrayList<>(Packing.pack(atoms.subList(0, atoms.size() - 1)));
        containers.addAll(Packing.pack(List.of(end.atom())));
        return containers;
    }

    private Optional<Arguments> sample(EndTreatment ending, Direction direction) {
        if (ending == EndTreatment.WHOLE) {
            return Optional.empty();
        }
        Arguments session = Arguments.of(SAMPLE, GtpSids.SESSION_BITS);
        boolean addressed = ending == EndTreatment.GTP && ends.slice().family() == Family.IPV4;
        return Optional.of(
                addressed
                        ? session.behind(Arguments.of(
                                Integer.toUnsignedLong(((Ipv4) endpoint(direction)).value()), Integer.SIZE))
                        : session);
    }

    private static List<Ipv6> with(List<Ipv6> template, int at, Arguments arguments) {
        List<Ipv6> sent = new ArrayList<>(template);
        sent.set(sent.size() - 1, arguments.in(sent.get(sent.size() - 1), at));
        return sent;
    }

    /** End.M.GTP6.E finds the endpoint in one more segment. */
    private List<Ipv6> sent(
            Direction direction, EndTreatment ending, List<Ipv6> template, int at, Optional<Arguments> sample) {
        List<Ipv6> sent = sample.map(arguments -> with(template, at, arguments)).orElse(template);
        if (ending == EndTreatment.GTP && ends.slice().family() == Family.IPV6) {
            sent = new ArrayList<>(sent);
            sent.add((Ipv6) endpoint(direction));
        }
        return sent;
    }

    /** A destination of packets of a direction. */
    IpAddress endpoint(Direction direction) {
        return direction.up()
                ? ends.slice().core().upfs().get(0)
                : ends.slice().access().gnbs().get(0).address();
    }

    /** The prefix of source addresses that contain the endpoint of GTP-U, for routers on the path; empty if none. */
    Optional<Taking> source(Direction direction) {
        SidPlan from = SidPlan.of(direction.from()).orElseThrow();
        GtpSids.Way back = direction.up() ? GtpSids.Way.DOWNLINK : GtpSids.Way.UPLINK;
        return ends.slice().family() == Family.IPV4
                ? from.gtp().gtp4E(back, ends.slice().container())
                : Optional.empty();
    }
}
