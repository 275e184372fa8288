// SPDX-License-Identifier: Apache-2.0
package org.sextant.core.sid;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.sextant.core.filter.Box;
import org.sextant.core.filter.RuleSet;
import org.sextant.core.filter.Verdict;
import org.sextant.core.ip.IpAddress;
import org.sextant.core.ip.Ipv6;
import org.sextant.core.sid.Fib.Adjacency;
import org.sextant.core.sid.Trace.Arrival;
import org.sextant.core.sid.Trace.Branch;
import org.sextant.core.sid.Trace.Failure;
import org.sextant.core.sid.Trace.Hop;
import org.sextant.core.sid.Trace.Reason;
import org.sextant.core.table.Behavior;
import org.sextant.core.table.MySid;
import org.sextant.core.table.Sera;

/**
 * The reference model of the nodes: moves a packet from its headend until it is decapsulated, or says why it never is.
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
 * <p>A packet may carry arguments behind the function of its last SID, which the behavior that ends the path is to find
 * there as they were written: were a node on the way to take them for uSIDs, it would shift them.
 *
 * <p>A node lowers the hop limit once per packet it passes on: with the behavior that processed it, or else when
 * routing it. A state that comes back on one path, but for the hop limit, is a loop, which makes every walk finite.
 */
public final class Walk {

    private static final int MAX_HEADERS = 8;

    private final Fib fib;
    private final Optional<Arguments> arguments;
    private final List<Box> traffic;
    private final Map<List<Object>, Branch> branches = new LinkedHashMap<>();
    private final Map<Question, Map<Verdict, Set<String>>> judged = new HashMap<>();
    private final Map<State, Steps> arriving = new HashMap<>();
    private final Set<String> nodes = new HashSet<>();
    private final Set<String> links = new HashSet<>();

    private Walk(Fib fib, Optional<Arguments> arguments, List<Box> traffic) {
        this.fib = fib;
        this.arguments = arguments;
        this.traffic = traffic;
    }

    /** Walks a packet that {@code headend} encapsulates, from a host that sends as most do. {@code segments} are in travel order. */
    public static Trace encapsulate(Fib fib, String headend, boolean reduced, List<Ipv6> segments, Payload payload) {
        return encapsulate(fib, headend, reduced, segments, payload, Header.DEFAULT_HOP_LIMIT);
    }

    /** The same for a packet with another hop limit, where outer headers begin with that of the packet inside. */
    public static Trace encapsulate(
            Fib fib, String headend, boolean reduced, List<Ipv6> segments, Payload payload, int hopLimit) {
        return encapsulate(fib, headend, reduced, segments, payload, hopLimit, List.of(Box.ALL));
    }

    /**
     * The same for users' packets that are in one of the boxes, as far as firewalls on the way tell packets apart. All that a
     * rule lets through must arrive, whatever it says of where to; what a rule drops has ended well.
     */
    public static Trace encapsulate(
            Fib fib,
            String headend,
            boolean reduced,
            List<Ipv6> segments,
            Payload payload,
            int hopLimit,
            List<Box> traffic) {
        return new Walk(fib, Optional.empty(), List.copyOf(traffic))
                .encapsulate(headend, reduced, segments, payload, hopLimit);
    }

    /**
     * Walks a packet that {@code headend} encapsulates with H.Encaps.Red and arguments in the last SID of a list.
     *
     * @param segments in travel order; {@code arguments} are written in the one they belong to already
     */
    public static Trace encapsulate(
            Fib fib, String headend, List<Ipv6> segments, Arguments arguments, Payload payload) {
        return new Walk(fib, Optional.of(arguments), List.of(Box.ALL))
                .encapsulate(headend, true, segments, payload, Header.DEFAULT_HOP_LIMIT);
    }

    private Trace encapsulate(String headend, boolean reduced, List<Ipv6> segments, Payload payload, int hopLimit) {
        Header header = pushed(headend, segments, reduced, hopLimit, payload);
        State state = new State(headend, header, true);
        nodes.add(headend);
        return trace(pass(state, reduced ? "H.Encaps.Red" : "H.Encaps", header, Optional.empty(), null));
    }

    /** Walks a packet that arrives at {@code node} with this header. */
    public static Trace from(Fib fib, String node, Header header) {
        return from(fib, node, header, List.of(Box.ALL));
    }

    /** The same for users' packets that are in one of the boxes. */
    public static Trace from(Fib fib, String node, Header header, List<Box> traffic) {
        Walk walk = new Walk(fib, Optional.empty(), List.copyOf(traffic));
        State state = new State(node, header, false);
        return walk.trace(walk.step(state, new Trail(state, null)));
    }

    private Trace trace(Steps steps) {
        return new Trace(
                hops(steps),
                Optional.ofNullable(steps.arrival),
                Optional.ofNullable(steps.failure),
                new TreeSet<>(nodes),
                new TreeSet<>(links),
                List.copyOf(branches.values()));
    }

    private static List<Hop> hops(Steps steps) {
        List<Hop> hops = new ArrayList<>();
        for (Steps step = steps; step != null; step = step.rest) {
            hops.add(step.hop);
        }
        return hops;
    }

    /**
     * A packet at a node.
     *
     * @param counted this node has lowered the hop limit already
     */
    private record State(String node, Header header, boolean counted) {
        // Both are asked for every hop of every policy, so the parts that differ most come first.

        boolean sameButForHopLimit(State other) {
            return header.destination().equals(other.header.destination())
                    && node.equals(other.node)
                    && header.srh().equals(other.header.srh())
                    && header.inner().equals(other.header.inner());
        }

        @Override
        public boolean equals(Object object) {
            return object instanceof State other
                    && counted == other.counted
                    && header.hopLimit() == other.header.hopLimit()
                    && sameButForHopLimit(other);
        }

        @Override
        public int hashCode() {
            return 31 * (31 * node.hashCode() + header.destination().hashCode()) + header.hopLimit();
        }
    }

    /** What a firewall is asked: whatever the hop limit is, its answer is the same. */
    private record Question(String node, Ipv6 destination, Optional<Header.Srh> srh, Inner inner) {}

    /** The states on the way here, latest first. */
    private record Trail(State state, @Nullable Trail before) {}

    /** A path as a chain of hops; the end of it is known at its head. */
    private record Steps(
            Hop hop,
            @Nullable Steps rest,
            @Nullable Arrival arrival,
            @Nullable Failure failure) {}

    private Steps visit(String node, Header header, boolean counted, @Nullable Trail trail) {
        State state = new State(node, header, counted);
        Steps known = arriving.get(state);
        if (known != null) {
            return known;
        }
        for (Trail before = trail; before != null; before = before.before) {
            if (before.state.sameButForHopLimit(state)) {
                return fail(
                        state,
                        "forward",
                        Reason.LOOP,
                        "sees " + header.destination() + " a second time: the packet goes in a circle");
            }
        }
        Steps steps = step(state, new Trail(state, trail));
        if (steps.failure == null) {
            arriving.put(state, steps);
        }
        return steps;
    }

    private Steps step(State at, @Nullable Trail trail) {
        nodes.add(at.node);
        Optional<MySid> own = fib.mySid(at.node, at.header.destination());
        return own.isPresent() ? behave(at, own.get(), trail) : route(at, trail);
    }

    private Steps route(State at, @Nullable Trail trail) {
        List<Adjacency> members = fib.route(at.node, 0, at.header.destination());
        if (members.isEmpty()) {
            return fail(at, "forward", Reason.NO_ROUTE, "has no route to " + at.header.destination());
        }
        if (!at.counted && at.header.hopLimit() <= 1) {
            return outOfHops(at, "forward");
        }
        Header header = at.counted ? at.header : at.header.forwarded();
        return transmit(at, "forward", header, members, trail);
    }

    private Steps behave(State at, MySid own, @Nullable Trail trail) {
        return own.behavior().process(new AtSid(at, own, trail));
    }

    /** A packet whose destination is a SID of the node that it is at. */
    private final class AtSid implements Behavior.Packet<Steps> {
        private final State at;
        private final MySid own;
        private final @Nullable Trail trail;
        private final String name;

        AtSid(State at, MySid own, @Nullable Trail trail) {
            this.at = at;
            this.own = own;
            this.trail = trail;
            this.name = own.behavior().name(own.sid().length() == 128);
        }

        @Override
        public Steps shiftOrEnd(int blockLength, int csidLength, Optional<Integer> nextHop) {
            return argument(at.header, blockLength, csidLength).isZero()
                    ? Walk.this.end(at, name, false, nextHop, trail)
                    : shift(at, name, blockLength, csidLength, nextHop, trail);
        }

        @Override
        public Steps end(boolean psp, Optional<Integer> nextHop) {
            return withoutArgument(() -> Walk.this.end(at, name, psp, nextHop, trail));
        }

        @Override
        public Steps decapsulate(Behavior.Family accepts, int vrf, Optional<Integer> nextHop) {
            Supplier<Steps> rest = () -> Walk.this.decapsulate(at, name, accepts, vrf, nextHop, trail);
            boolean last = at.header.inner() instanceof Payload;
            return last && arguments.isPresent() ? withArguments(rest) : withoutArgument(rest);
        }

        @Override
        public Steps encapsulate(int sidList) {
            return withoutArgument(() -> push(at, name, sidList, trail));
        }

        @Override
        public Steps toGtp(int segmentsLeft) {
            Supplier<Steps> rest = () -> arrive(at, name, Optional.empty(), Optional.empty());
            return at.header.segmentsLeft() == segmentsLeft
                    ? arguments.isPresent() ? withArguments(rest) : rest.get()
                    : fail(
                            at,
                            name,
                            Reason.SEGMENTS_LEFT_NOT_ZERO,
                            "makes GTP with " + name + " where " + segmentsLeft + " segments are left, but "
                                    + at.header.segmentsLeft() + " are");
        }

        @Override
        public Steps fromGtp() {
            return fail(
                    at,
                    name,
                    Reason.NOT_DECAPSULATED,
                    "takes GTP only at " + own.sid() + ", but what is inside of the packet is "
                            + at.header.inner().family());
        }

        @Override
        public Steps map(Ipv6 sid) {
            return at.header.hopLimit() <= 1
                    ? outOfHops(at, name)
                    : pass(at, name, at.header.shifted(sid), Optional.empty(), trail);
        }

        @Override
        public Steps judge(Sera firewall) {
            return Walk.this.judge(at, own, firewall, name, trail);
        }

        private Steps withArguments(Supplier<Steps> rest) {
            Ipv6 found = at.header.destination().shiftLeft(own.sid().length());
            return arguments.filter(wanted -> wanted.bits().equals(found)).isPresent()
                    ? rest.get()
                    : fail(
                            at,
                            name,
                            Reason.ARGUMENTS_LOST,
                            "finds other bits behind " + own.sid() + " in " + at.header.destination()
                                    + " than the arguments that were written: a node took them for uSIDs");
        }

        private Steps withoutArgument(Supplier<Steps> rest) {
            return at.header.destination().shiftLeft(own.sid().length()).isZero()
                    ? rest.get()
                    : fail(
                            at,
                            name,
                            Reason.ARGUMENT_NOT_ZERO,
                            "does not shift at " + name + ", so what stands behind " + own.sid() + " in "
                                    + at.header.destination() + " is lost");
        }
    }

    /** DA.Argument: all bits behind the SID, left-aligned. All of them decide, not only the next uSID (RFC 9800, 4.1.1). */
    private static Ipv6 argument(Header header, int blockLength, int csidLength) {
        return header.destination().shiftLeft(blockLength + csidLength);
    }

    private Steps shift(
            State at, String name, int blockLength, int csidLength, Optional<Integer> nextHop, @Nullable Trail trail) {
        if (at.header.hopLimit() <= 1) {
            return outOfHops(at, name);
        }
        Ipv6 argument = argument(at.header, blockLength, csidLength).shiftRight(blockLength);
        Ipv6 shifted = at.header.destination().truncate(blockLength).or(argument);
        return pass(at, name, at.header.shifted(shifted), nextHop, trail);
    }

    private Steps end(State at, String name, boolean psp, Optional<Integer> nextHop, @Nullable Trail trail) {
        Optional<Steps> refused = refuseToAdvance(at, name);
        return refused.orElseGet(() -> pass(at, name, at.header.advanced(psp), nextHop, trail));
    }

    /** RFC 8986, 4.1, S02 to S11. */
    private Optional<Steps> refuseToAdvance(State at, String name) {
        if (at.header.segmentsLeft() == 0) {
            return Optional.of(fail(
                    at,
                    name,
                    Reason.NOT_DECAPSULATED,
                    "is the end of the segment list, but its SID " + at.header.destination()
                            + " does not decapsulate"));
        }
        if (at.header.hopLimit() <= 1) {
            return Optional.of(outOfHops(at, name));
        }
        return beyondList(at, name);
    }

    private static Optional<Steps> beyondList(State at, String name) {
        return at.header
                .srh()
                .filter(srh -> srh.segmentsLeft() > srh.lastEntry() + 1)
                .map(srh -> fail(
                        at,
                        name,
                        Reason.SEGMENTS_LEFT_BEYOND_LIST,
                        "finds segments left " + srh.segmentsLeft() + ", but the last entry is " + srh.lastEntry()));
    }

    /** Follows every verdict that packets can get here; the packet's own path is that of the first that leads anywhere. */
    private Steps judge(State at, MySid own, Sera firewall, String name, @Nullable Trail trail) {
        Optional<RuleSet> rules = fib.firewall(at.node, firewall.firewall());
        if (rules.isEmpty()) {
            return fail(at, name, Reason.NO_FIREWALL, "has no rules for the firewall at " + own.sid());
        }
        Optional<Steps> malformed = beyondList(at, name);
        if (malformed.isPresent()) {
            return malformed.get();
        }
        Map<Verdict, Set<String>> verdicts = judged.computeIfAbsent(
                new Question(at.node, at.header.destination(), at.header.srh(), at.header.inner()),
                asked -> Judged.verdicts(rules.get(), firewall, at.header, traffic));
        @Nullable Steps first = null;
        for (Map.Entry<Verdict, Set<String>> verdict : verdicts.entrySet()) {
            if (verdict.getKey() == Verdict.DROP) {
                branch(at, verdict.getKey(), verdict.getValue(), dropped(at, name));
                continue;
            }
            Steps steps = obey(at, firewall, name, verdict.getKey(), trail);
            branch(at, verdict.getKey(), verdict.getValue(), steps);
            if (steps.failure != null) {
                return blame(
                        steps,
                        at,
                        own,
                        verdict.getKey(),
                        verdict.getValue().iterator().next());
            }
            first = first == null ? steps : first;
        }
        // Where all is dropped, the path is what it would be.
        return first != null ? first : obey(at, firewall, name, Verdict.GO_NEXT, trail);
    }

    private Steps obey(State at, Sera firewall, String name, Verdict verdict, @Nullable Trail trail) {
        Verdict said = verdict;
        if (verdict == Verdict.EVAL_ARGS) {
            long arguments = Program.arguments(firewall, at.header.destination());
            Optional<Verdict> meant = Verdict.ofArguments(arguments);
            if (meant.isEmpty()) {
                return fail(
                        at,
                        name,
                        Reason.UNKNOWN_ARGUMENTS,
                        "finds the arguments " + arguments + " in " + at.header.destination()
                                + ", which say neither goNext (0) nor skipNext (1) nor goLast (2)");
            }
            said = meant.get();
        }
        if (at.header.hopLimit() <= 1) {
            return outOfHops(at, name);
        }
        Optional<Header> next = Program.after(said, firewall, at.header);
        return next.isEmpty()
                ? fail(
                        at,
                        name,
                        Reason.NOWHERE_TO_GO,
                        "finds nothing behind " + at.header.destination() + " that " + said.text() + " could lead to")
                : pass(at, name, next.get(), Optional.empty(), trail);
    }

    /** Another hop limit, or another way to the same place, is no other branch. */
    private void branch(State at, Verdict verdict, Set<String> rules, Steps steps) {
        branches.putIfAbsent(
                List.of(at.node, at.header.destination(), at.header.segmentsLeft(), verdict),
                new Branch(
                        at.node,
                        at.header.destination(),
                        verdict,
                        List.copyOf(rules),
                        hops(steps),
                        Optional.ofNullable(steps.arrival)));
    }

    private static Steps dropped(State at, String name) {
        Hop last = new Hop(
                at.node,
                name,
                at.header.destination(),
                Optional.empty(),
                at.header.segmentsLeft(),
                Optional.empty(),
                List.of());
        return new Steps(last, null, null, null);
    }

    private static Steps blame(Steps steps, State at, MySid own, Verdict verdict, String rule) {
        Failure failure = Objects.requireNonNull(steps.failure);
        return new Steps(
                steps.hop,
                steps.rest,
                null,
                new Failure(
                        failure.node(),
                        failure.reason(),
                        failure.message() + "; rule \"" + rule + "\" of the firewall at " + own.sid() + " on node "
                                + at.node + " says " + verdict.text()));
    }

    /** Hands a processed packet to the adjacency of the behavior or, without one, to the same node's tables. */
    private Steps pass(State at, String name, Header header, Optional<Integer> nextHop, @Nullable Trail trail) {
        if (nextHop.isPresent()) {
            Optional<Adjacency> adjacency = fib.adjacency(at.node, nextHop.get());
            return adjacency.isEmpty()
                    ? fail(at, name, Reason.NO_ADJACENCY, "has no next hop " + nextHop.get())
                    : transmit(at, name, header, List.of(adjacency.get()), trail);
        }
        if (fib.mySid(at.node, header.destination()).isPresent()) {
            Steps rest = visit(at.node, header, true, trail);
            return chain(hop(at, name, header, Optional.empty(), List.of()), rest);
        }
        List<Adjacency> members = fib.route(at.node, 0, header.destination());
        return members.isEmpty()
                ? fail(
                        at,
                        name,
                        Reason.NO_ROUTE,
                        "has no route to " + header.destination() + ", the destination behind " + name)
                : transmit(at, name, header, members, trail);
    }

    private Steps transmit(State at, String name, Header header, List<Adjacency> members, @Nullable Trail trail) {
        List<Adjacency> sorted = members.size() == 1
                ? members
                : members.stream().sorted().distinct().toList();
        @Nullable Steps first = null;
        for (int i = 0; i < sorted.size(); i++) {
            Adjacency to = sorted.get(i);
            links.add(to.link());
            Steps rest = to.host() ? null : visit(to.neighbor(), header, false, trail);
            if (rest == null) {
                return fail(
                        at,
                        name,
                        Reason.NOT_DECAPSULATED,
                        "sends " + header.destination() + " to host " + to.neighbor()
                                + " with its outer header still on");
            }
            if (rest.failure != null || first == null) {
                first = chain(hop(at, name, header, Optional.of(to.link()), others(sorted, i)), rest);
            }
            if (rest.failure != null) {
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

    private Steps decapsulate(
            State at, String name, Behavior.Family accepts, int vrf, Optional<Integer> nextHop, @Nullable Trail trail) {
        Inner inner = at.header.inner();
        if (at.header.segmentsLeft() != 0) {
            return fail(
                    at,
                    name,
                    Reason.SEGMENTS_LEFT_NOT_ZERO,
                    "decapsulates only the last segment, but " + at.header.segmentsLeft() + " are left");
        }
        if (accepts != Behavior.Family.BOTH && accepts != inner.family()) {
            return fail(
                    at,
                    name,
                    Reason.WRONG_INNER_FAMILY,
                    "decapsulates " + accepts + " with " + name + ", but the packet inside is " + inner.family());
        }
        if (nextHop.isPresent()) {
            return crossConnect(at, name, nextHop.get(), trail);
        }
        if (inner instanceof Header next) {
            Steps rest = visit(at.node, next, false, trail);
            return chain(hop(at, name, next, Optional.empty(), List.of()), rest);
        }
        Optional<IpAddress> destination = ((Payload) inner).destination();
        List<Adjacency> delivery =
                destination.map(address -> fib.route(at.node, vrf, address)).orElse(List.of());
        if (destination.isPresent() && delivery.isEmpty()) {
            return fail(
                    at,
                    name,
                    Reason.NO_INNER_ROUTE,
                    "has no route to the inner destination " + destination.get() + (vrf == 0 ? "" : " in VRF " + vrf));
        }
        return arrive(at, name, Optional.of(vrf), delivery.stream().sorted().findFirst());
    }

    private Steps crossConnect(State at, String name, int nextHop, @Nullable Trail trail) {
        Optional<Adjacency> adjacency = fib.adjacency(at.node, nextHop);
        if (adjacency.isEmpty()) {
            return fail(at, name, Reason.NO_ADJACENCY, "has no next hop " + nextHop);
        }
        if (at.header.inner() instanceof Header next) {
            return transmit(at, name, next, List.of(adjacency.get()), trail);
        }
        return arrive(at, name, Optional.empty(), adjacency);
    }

    private Steps arrive(State at, String name, Optional<Integer> vrf, Optional<Adjacency> delivery) {
        Hop last = new Hop(
                at.node,
                name,
                at.header.destination(),
                Optional.empty(),
                at.header.segmentsLeft(),
                delivery.map(Adjacency::link),
                List.of());
        return new Steps(last, null, new Arrival(at.node, name, vrf, delivery), null);
    }

    private Steps push(State at, String name, int sidList, @Nullable Trail trail) {
        Optional<Steps> refused = refuseToAdvance(at, name);
        if (refused.isPresent()) {
            return refused.get();
        }
        List<List<Ipv6>> members = fib.segmentLists(at.node, sidList);
        if (members.isEmpty()) {
            return fail(at, name, Reason.NO_SID_LIST, "has no sid_list " + Integer.toUnsignedString(sidList));
        }
        if (depth(at.header) >= MAX_HEADERS) {
            return fail(
                    at,
                    name,
                    Reason.LOOP,
                    "pushes a header although " + MAX_HEADERS
                            + " are on the packet: its binding SIDs lead into each other");
        }
        Header carried = at.header.advanced(false);
        @Nullable Steps first = null;
        for (List<Ipv6> path : members) {
            Header header = pushed(at.node, path, true, at.header.hopLimit(), carried);
            Steps steps = pass(at, name, header, Optional.empty(), trail);
            if (steps.failure != null) {
                return steps;
            }
            first = first == null ? steps : first;
        }
        return Objects.requireNonNull(first, "the list has members");
    }

    /** An outer header as it leaves: the node that pushes it takes a hop, unless the first segment is its own and does. */
    private Header pushed(String node, List<Ipv6> path, boolean reduced, int hopLimit, Inner inner) {
        Header header = Header.encapsulated(path, reduced, hopLimit, inner);
        return fib.mySid(node, header.destination()).isPresent() ? header : header.forwarded();
    }

    private static int depth(Inner inner) {
        return inner instanceof Header header ? 1 + depth(header.inner()) : 0;
    }

    private static Hop hop(State at, String name, Header leaving, Optional<String> link, List<String> others) {
        return new Hop(
                at.node,
                name,
                at.header.destination(),
                Optional.of(leaving.destination()),
                at.header.segmentsLeft(),
                link,
                others);
    }

    private static Steps chain(Hop hop, Steps rest) {
        return new Steps(hop, rest, rest.arrival, rest.failure);
    }

    private static Steps outOfHops(State at, String name) {
        return fail(at, name, Reason.HOP_LIMIT, "drops " + at.header.destination() + ": its hop limit is used up");
    }

    private static Steps fail(State at, String name, Reason reason, String message) {
        Hop last = new Hop(
                at.node,
                name,
                at.header.destination(),
                Optional.empty(),
                at.header.segmentsLeft(),
                Optional.empty(),
                List.of());
        return new Steps(last, null, null, new Failure(at.node, reason, "node " + at.node + " " + message));
    }
}
