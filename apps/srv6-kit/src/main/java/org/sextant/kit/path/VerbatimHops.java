// SPDX-License-Identifier: Apache-2.0
package org.sextant.kit.path;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.function.IntFunction;
import java.util.stream.Collectors;
import org.sextant.core.ip.IpPrefix;
import org.sextant.core.ip.Ipv6;
import org.sextant.core.net.Node;
import org.sextant.core.net.Srv6;
import org.sextant.core.sid.Atom;
import org.sextant.core.sid.Fib.Adjacency;
import org.sextant.core.sid.SidFormat;
import org.sextant.core.table.Behavior;
import org.sextant.core.table.MySid;
import org.sextant.core.underlay.SidPlan;
import org.sextant.core.underlay.Underlay;
import org.sextant.kit.Findings;

/**
 * Hops that an operator gives as bits. They are split into uSIDs by the format of the nodes that use their block, and
 * each uSID is looked up: a global one must be a node's, a local one a function of the node before it.
 */
record VerbatimHops(Underlay underlay, Findings findings, AtomPath path) {

    /** A block that nodes of the network use. */
    private record Space(IpPrefix block, SidFormat format) {}

    void raw(Hop.RawSid hop, String pointer) {
        Optional<Space> space = spaces().values().stream()
                .filter(known -> known.block().contains(hop.sid()))
                .findFirst();
        if (space.isEmpty()) {
            findings.unknown(pointer, "no node has a block that contains " + hop.sid(), "the blocks are " + blocks());
            return;
        }
        List<Long> usids = cut(hop.sid(), space.get().format());
        if (usids.isEmpty() || usids.contains(0L)) {
            findings.invalid(
                    pointer,
                    usids.isEmpty()
                            ? hop.sid() + " is a block without a uSID"
                            : hop.sid() + " has uSIDs behind a zero, which ends a container",
                    "give a node's SID, such as "
                            + underlay.network().nodes().values().stream()
                                    .filter(node -> node.srv6().isPresent())
                                    .findFirst()
                                    .map(Underlay::locator)
                                    .orElse(hop.sid()));
            return;
        }
        follow(space.get(), usids, hop.loose(), index -> pointer);
    }

    void listed(Hop.Usids hop, String pointer) {
        Space space = spaces().get(hop.block().toString());
        if (space == null) {
            findings.unknown(pointer + "/block", "no node has the block " + hop.block(), "the blocks are " + blocks());
            return;
        }
        for (int i = 0; i < hop.usids().size(); i++) {
            if (hop.usids().get(i) >= 1L << space.format().usidLength()) {
                findings.invalid(
                        pointer + "/usids/" + i,
                        "uSID " + hex(hop.usids().get(i)) + " has more than the "
                                + space.format().usidLength() + " bits of "
                                + space.format().name(),
                        "write " + space.format().usidLength() / 4 + " hexadecimal digits");
                return;
            }
        }
        follow(space, hop.usids(), hop.loose(), index -> pointer + "/usids/" + index);
    }

    private Map<String, Space> spaces() {
        return underlay.network().nodes().values().stream()
                .flatMap(node -> node.srv6().stream())
                .collect(Collectors.toMap(
                        srv6 -> srv6.block().toString(),
                        srv6 -> new Space(srv6.block(), srv6.format()),
                        (a, b) -> a,
                        TreeMap::new));
    }

    private String blocks() {
        return String.join(", ", spaces().keySet());
    }

    /** The uSIDs up to the last that is not zero. */
    private static List<Long> cut(Ipv6 sid, SidFormat format) {
        List<Long> usids = new ArrayList<>();
        for (int from = format.blockLength(); from + format.usidLength() <= 128; from += format.usidLength()) {
            if (!sid.shiftLeft(from).isZero()) {
                usids.add(sid.bits(from, format.usidLength()));
            }
        }
        return usids;
    }

    private void follow(Space space, List<Long> usids, boolean loose, IntFunction<String> pointer) {
        boolean strict = !loose;
        for (int i = 0; i < usids.size(); i++) {
            if (path.closed()) {
                findings.invalid(
                        pointer.apply(i),
                        "uSID " + hex(usids.get(i)) + " stands behind one that decapsulates, where nothing follows",
                        "end the list before it");
                return;
            }
            boolean local = i + 1 < usids.size() && space.format().isLocal(usids.get(i + 1));
            boolean went = local
                    ? function(space, usids.get(i), usids.get(i + 1), strict, pointer.apply(i), pointer.apply(i + 1))
                    : node(space, usids.get(i), strict, pointer.apply(i));
            if (!went) {
                return;
            }
            strict = false;
            i += local ? 1 : 0;
        }
    }

    private boolean node(Space space, long usid, boolean strict, String pointer) {
        Optional<Node> numbered = numbered(space, usid);
        if (numbered.isPresent()) {
            boolean went = numbered.get().name().equals(path.at().name()) || go(numbered.get(), strict, pointer);
            if (went) {
                path.verbatim(
                        Atom.Compressed.of(space.block(), space.format(), usid).closing(), numbered.get());
            }
            return went;
        }
        return owner(space, usid, pointer)
                .filter(node -> go(node, strict, pointer))
                .isPresent();
    }

    /** A node and the local uSID behind it. */
    private boolean function(Space space, long usid, long local, boolean strict, String pointer, String localPointer) {
        Optional<Node> owner = owner(space, usid, pointer);
        if (owner.isEmpty() || !owner.get().name().equals(path.at().name()) && !go(owner.get(), strict, pointer)) {
            return false;
        }
        if (path.atoms().isEmpty() && owner.get().name().equals(path.headend().name())) {
            findings.unfeasible(
                    pointer,
                    "the headend " + owner.get().name() + " does not process SIDs of its own",
                    "begin with another node");
            return false;
        }
        Optional<MySid> fused = fused(owner.get(), local);
        if (fused.isEmpty()) {
            findings.unknown(
                    localPointer,
                    "node " + owner.get().name() + " has no local uSID " + hex(local),
                    "its entries are what it has: list those of " + owner.get().name());
            return false;
        }
        Atom.Compressed atom = Atom.Compressed.of(space.block(), space.format(), usid, local);
        if (fused.get().behavior() instanceof Behavior.Ua ua) {
            Optional<Adjacency> adjacency =
                    underlay.fib().adjacency(owner.get().name(), ua.nextHop()).filter(next -> !next.host());
            if (adjacency.isEmpty()) {
                findings.unfeasible(
                        localPointer,
                        "the link behind uA " + hex(local) + " of "
                                + owner.get().name() + " is down",
                        "bring it up, or choose another way");
                return false;
            }
            path.verbatim(
                    atom, underlay.network().node(adjacency.get().neighbor()).orElseThrow());
        } else {
            path.verbatim(atom.closing(), owner.get());
        }
        return true;
    }

    private boolean go(Node node, boolean strict, String pointer) {
        int before = findings.count();
        if (strict) {
            path.strict(node, pointer);
        } else {
            path.loose(node, pointer);
        }
        return findings.count() == before;
    }

    private Optional<MySid> fused(Node node, long local) {
        SidPlan plan = SidPlan.of(node).orElseThrow();
        IpPrefix locator = plan.locator();
        Ipv6 sid =
                ((Ipv6) locator.address()).with(locator.length(), plan.format().usidLength(), local);
        return underlay.fib()
                .mySid(node.name(), sid)
                .filter(own ->
                        own.sid().length() == locator.length() + plan.format().usidLength());
    }

    private Optional<Node> numbered(Space space, long usid) {
        return nodes(space).stream()
                .filter(node -> SidPlan.of(node)
                        .map(plan -> plan.numberedUsid(Behavior.Family.IPV6)
                                        .filter(own -> own == usid)
                                        .isPresent()
                                || plan.numberedUsid(Behavior.Family.IPV4)
                                        .filter(own -> own == usid)
                                        .isPresent())
                        .orElse(false))
                .findFirst();
    }

    private Optional<Node> owner(Space space, long usid, String pointer) {
        if (space.format().isLocal(usid)) {
            findings.invalid(
                    pointer,
                    "uSID " + hex(usid) + " is local: it means nothing without the uSID of its node before it",
                    "put the node's uSID before it");
            return Optional.empty();
        }
        Optional<Node> owner = nodes(space).stream()
                .filter(node -> node.srv6().map(Srv6::usid).orElseThrow() == usid)
                .findFirst();
        if (owner.isEmpty()) {
            findings.unknown(
                    pointer,
                    "no node has the uSID " + hex(usid) + " in block " + space.block(),
                    "the nodes' are "
                            + nodes(space).stream()
                                    .limit(10)
                                    .map(node -> node.name() + " "
                                            + hex(node.srv6().orElseThrow().usid()))
                                    .collect(Collectors.joining(", ")));
        }
        return owner;
    }

    private List<Node> nodes(Space space) {
        return underlay.network().nodes().values().stream()
                .filter(node -> node.srv6()
                        .map(Srv6::block)
                        .filter(space.block()::equals)
                        .isPresent())
                .toList();
    }

    private static String hex(long usid) {
        return "0x" + Long.toHexString(usid);
    }
}
