// SPDX-License-Identifier: Apache-2.0
package org.sextant.core.sid;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import org.sextant.core.filter.Box;
import org.sextant.core.filter.Facts;
import org.sextant.core.ip.Ipv6;
import org.sextant.core.sid.Fib.Adjacency;
import org.sextant.core.sid.Trace.Reason;
import org.sextant.core.table.MySid;

/**
 * The reference model of the nodes: moves a packet from its headend until it is decapsulated, or returns the reason for
 * a failure.
 *
 * <pre>
 *   at a node:  own SID?  --no--&gt;  route: hop limit, then every equally good link
 *                  |
 *                 yes: uN, uA   argument not 0: shift it (RFC 9800, 4.1.1 and 4.1.2)
 *                               argument 0:     as End, End.X
 *                      End      next segment becomes the destination (RFC 8986, 4.1), looked up again at this node
 *                      End.X    the same, but leaves through its adjacency without a lookup (4.2)
 *                      uDT, uDX the outer header goes (4.4 to 4.8)
 *                      uDedup   the same for the first copy (docs/reference/livelive.md); the walk is the first
 *                      GTP E    the packet inside goes on as GTP-U (RFC 9433, 6.5 and 6.6): the walk ends there
 *                      MAP      another SID becomes the destination (6.2)
 *                      B6       the next segment becomes active, then another header is pushed (4.14)
 *                      End.AN   a firewall: every verdict that a packet of the traffic can get is followed
 * </pre>
 *
 * <p>Where several links are equally good the packet may take any of them, so all are followed and all must arrive. The
 * branches meet again; a state (node and header) that is known to arrive is not walked twice, which keeps the work
 * proportional to links and segments instead of to paths. The trace is the first path in the order of neighbor names,
 * and if a branch fails, the first that does.
 *
 * <p>A packet may carry arguments behind the function of its last SID, which must arrive unchanged at the behavior that
 * ends the path: a node on the path that took them for uSIDs would shift them.
 *
 * <p>A node lowers the hop limit once per packet it passes on: with the behavior that processed it, or else when
 * routing it. A state that comes back on one path, but for the hop limit, is a loop, which makes every walk finite.
 */
public final class Walk {

    private final Fib fib;
    private final Optional<Arguments> arguments;
    private final WalkFirewalls judging;
    private final Map<State, Steps> arriving = new HashMap<>();
    private final Set<String> nodes = new HashSet<>();
    private final Set<String> links = new HashSet<>();

    private Walk(Fib fib, Optional<Arguments> arguments, Function<Walk, WalkFirewalls> judging) {
        this.fib = fib;
        this.arguments = arguments;
        this.judging = judging.apply(this);
    }

    private static Walk of(Fib fib, List<Box> traffic) {
        return new Walk(fib, Optional.empty(), walk -> WalkFirewalls.of(walk, List.copyOf(traffic)));
    }

    /** Walks a packet that {@code headend} encapsulates, from a host that sends as most do. {@code segments} are in travel order. */
    public static Trace encapsulate(Fib fib, String headend, boolean reduced, List<Ipv6> segments, Payload payload) {
        return encapsulate(fib, headend, reduced, segments, payload, Header.DEFAULT_HOP_LIMIT);
    }

    /** Walks a packet with another hop limit, where outer headers begin with that of the packet inside. */
    public static Trace encapsulate(
            Fib fib, String headend, boolean reduced, List<Ipv6> segments, Payload payload, int hopLimit) {
        return encapsulate(fib, headend, reduced, segments, payload, hopLimit, List.of(Box.ALL));
    }

    /**
     * Walks users' packets that are in one of the boxes, as far as firewalls on the path distinguish them. All packets
     * that a rule lets through must arrive, wherever it sends them; packets that a rule drops count as arrived.
     */
    public static Trace encapsulate(
            Fib fib,
            String headend,
            boolean reduced,
            List<Ipv6> segments,
            Payload payload,
            int hopLimit,
            List<Box> traffic) {
        return of(fib, traffic).encapsulate(headend, reduced, segments, payload, hopLimit);
    }

    /**
     * Walks one packet that {@code headend} encapsulates: at a firewall the rule decides that takes it, and where that drops it,
     * it does not arrive.
     *
     * @param packet all fields that firewalls may match in the inner packet, and the source of its outer header
     */
    public static Trace follow(
            Fib fib,
            String headend,
            boolean reduced,
            List<Ipv6> segments,
            Payload payload,
            int hopLimit,
            Facts packet) {
        return new Walk(fib, Optional.empty(), walk -> WalkFirewalls.of(walk, packet))
                .encapsulate(headend, reduced, segments, payload, hopLimit);
    }

    /**
     * Walks a packet that {@code headend} encapsulates with H.Encaps.Red and arguments in the last SID of a list.
     *
     * @param segments in travel order; {@code arguments} are written in the one they belong to already
     */
    public static Trace encapsulate(
            Fib fib, String headend, List<Ipv6> segments, Arguments arguments, Payload payload) {
        return new Walk(fib, Optional.of(arguments), walk -> WalkFirewalls.of(walk, List.of(Box.ALL)))
                .encapsulate(headend, true, segments, payload, Header.DEFAULT_HOP_LIMIT);
    }

    private Trace encapsulate(String headend, boolean reduced, List<Ipv6> segments, Payload payload, int hopLimit) {
        Header header = pushed(headend, segments, reduced, hopLimit, payload);
        State state = new State(headend, header, true);
        nodes.add(headend);
        return trace(pass(state, reduced ? "H.Encaps.Red" : "H.Encaps", header, Optional.empty(), null));
    }

    Fib fib() {
        return fib;
    }

    /** The arguments that the packet must carry behind the function of its last SID. */
    Optional<Arguments> arguments() {
        return arguments;
    }

    WalkFirewalls judging() {
        return judging;
    }

    /** Walks a packet that arrives at {@code node} with this header. */
    public static Trace from(Fib fib, String node, Header header) {
        return from(fib, node, header, List.of(Box.ALL));
    }

    /** As above, for users' packets that are in one of the boxes. */
    public static Trace from(Fib fib, String node, Header header, List<Box> traffic) {
        Walk walk = of(fib, traffic);
        State state = new State(node, header, false);
        return walk.trace(walk.step(state, new VisitedStates(state, null)));
    }

    private Trace trace(Steps steps) {
        return new Trace(
                steps.hops(),
                Optional.ofNullable(steps.arrival()),
                Optional.ofNullable(steps.failure()),
                new TreeSet<>(nodes),
                new TreeSet<>(links),
                judging.branches());
    }

    /** Walks the packet from this node on; {@code counted}: its hop limit was lowered here already. */
    Steps visit(String node, Header header, boolean counted, @Nullable VisitedStates trail) {
        State state = new State(node, header, counted);
        Steps known = arriving.get(state);
        if (known != null) {
            return known;
        }
        if (trail != null && trail.holds(state)) {
            return Steps.fail(
                    state,
                    "forward",
                    Reason.LOOP,
                    "sees " + header.destination() + " a second time: the packet goes in a circle");
        }
        Steps steps = step(state, new VisitedStates(state, trail));
        if (steps.failure() == null) {
            arriving.put(state, steps);
        }
        return steps;
    }

    private Steps step(State at, @Nullable VisitedStates trail) {
        nodes.add(at.node());
        Optional<MySid> own = fib.mySid(at.node(), at.header().destination());
        return own.isPresent() ? own.get().behavior().process(new AtSid(this, at, own.get(), trail)) : route(at, trail);
    }

    private Steps route(State at, @Nullable VisitedStates trail) {
        List<Adjacency> members = fib.route(at.node(), 0, at.header().destination());
        if (members.isEmpty()) {
            return Steps.fail(
                    at,
                    "forward",
                    Reason.NO_ROUTE,
                    "has no route to " + at.header().destination());
        }
        if (!at.counted() && at.header().hopLimit() <= 1) {
            return Steps.outOfHops(at, "forward");
        }
        Header header = at.counted() ? at.header() : at.header().forwarded();
        return transmit(at, "forward", header, members, trail);
    }

    /** Hands a processed packet to the adjacency of the behavior or, without one, to the same node's tables. */
    Steps pass(State at, String name, Header header, Optional<Integer> nextHop, @Nullable VisitedStates trail) {
        if (nextHop.isPresent()) {
            Optional<Adjacency> adjacency = fib.adjacency(at.node(), nextHop.get());
            return adjacency.isEmpty()
                    ? Steps.fail(at, name, Reason.NO_ADJACENCY, "has no next hop " + nextHop.get())
                    : transmit(at, name, header, List.of(adjacency.get()), trail);
        }
        if (fib.mySid(at.node(), header.destination()).isPresent()) {
            Steps rest = visit(at.node(), header, true, trail);
            return Steps.chain(Steps.hop(at, name, header, Optional.empty(), List.of()), rest);
        }
        List<Adjacency> members = fib.route(at.node(), 0, header.destination());
        return members.isEmpty()
                ? Steps.fail(
                        at,
                        name,
                        Reason.NO_ROUTE,
                        "has no route to " + header.destination() + ", the destination behind " + name)
                : transmit(at, name, header, members, trail);
    }

    /** Sends a packet to every member; the path is that by the first, or by the first that fails. */
    Steps transmit(State at, String name, Header header, List<Adjacency> members, @Nullable VisitedStates trail) {
        List<Adjacency> sorted = members.size() == 1
                ? members
                : members.stream().sorted().distinct().toList();
        @Nullable Steps first = null;
        for (int i = 0; i < sorted.size(); i++) {
            Adjacency to = sorted.get(i);
            links.add(to.link());
            Steps rest = to.host() ? null : visit(to.neighbor(), header, false, trail);
            if (rest == null) {
                return Steps.fail(
                        at,
                        name,
                        Reason.NOT_DECAPSULATED,
                        "sends " + header.destination() + " to host " + to.neighbor()
                                + " with its outer header still on");
            }
            if (rest.failure() != null || first == null) {
                first = Steps.chain(Steps.hop(at, name, header, Optional.of(to.link()), others(sorted, i)), rest);
            }
            if (rest.failure() != null) {
                return first;
            }
        }
        return Objects.requireNonNull(first, "a route has members");
    }

    private static List<String> others(List<Adjacency> members, int taken) {
        if (members.size() == 1) {
            return List.of();
        }
        List<String> others = new ArrayList<>();
        for (int i = 0; i < members.size(); i++) {
            if (i != taken) {
                others.add(members.get(i).link());
            }
        }
        return others;
    }

    /** An outer header as it leaves: the node that pushes it takes a hop, unless the first segment is its own and does. */
    Header pushed(String node, List<Ipv6> path, boolean reduced, int hopLimit, Inner inner) {
        Header header = Header.encapsulated(path, reduced, hopLimit, inner);
        return fib.mySid(node, header.destination()).isPresent() ? header : header.forwarded();
    }
}
