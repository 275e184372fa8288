// SPDX-License-Identifier: Apache-2.0
package org.sextant.core.sid;

import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.sextant.core.ip.IpAddress;
import org.sextant.core.ip.Ipv6;
import org.sextant.core.sid.Fib.Adjacency;
import org.sextant.core.sid.Trace.Arrival;
import org.sextant.core.sid.Trace.Reason;
import org.sextant.core.table.Behavior;
import org.sextant.core.table.MySid;
import org.sextant.core.table.Sera;

/** A packet whose destination is a SID of the node that it is at. */
final class AtSid implements Behavior.Packet<Steps> {
    private static final int MAX_HEADERS = 8;

    private final Walk walk;
    private final State at;
    private final MySid own;
    private final @Nullable VisitedStates trail;
    private final String name;

    AtSid(Walk walk, State at, MySid own, @Nullable VisitedStates trail) {
        this.walk = walk;
        this.at = at;
        this.own = own;
        this.trail = trail;
        this.name = own.behavior().name(own.sid().length() == 128);
    }

    @Override
    public Steps shiftOrEnd(int blockLength, int csidLength, Optional<Integer> nextHop) {
        return argument(blockLength, csidLength).isZero()
                ? advance(false, nextHop)
                : shift(blockLength, csidLength, nextHop);
    }

    @Override
    public Steps end(boolean psp, Optional<Integer> nextHop) {
        return withoutArgument(() -> advance(psp, nextHop));
    }

    @Override
    public Steps decapsulate(Behavior.Family accepts, int vrf, Optional<Integer> nextHop) {
        Supplier<Steps> rest = () -> remove(accepts, vrf, nextHop);
        boolean last = at.header().inner() instanceof Payload;
        return last && walk.arguments().isPresent() ? withArguments(rest) : withoutArgument(rest);
    }

    @Override
    public Steps encapsulate(int sidList) {
        return withoutArgument(() -> push(sidList));
    }

    @Override
    public Steps toGtp(int segmentsLeft) {
        Supplier<Steps> rest = () -> arrive(Optional.empty(), Optional.empty());
        return at.header().segmentsLeft() == segmentsLeft
                ? walk.arguments().isPresent() ? withArguments(rest) : rest.get()
                : fail(
                        Reason.SEGMENTS_LEFT_NOT_ZERO,
                        "makes GTP with " + name + " where " + segmentsLeft + " segments are left, but "
                                + at.header().segmentsLeft() + " are");
    }

    @Override
    public Steps fromGtp() {
        return fail(
                Reason.NOT_DECAPSULATED,
                "takes GTP only at " + own.sid() + ", but what is inside of the packet is "
                        + at.header().inner().family());
    }

    @Override
    public Steps map(Ipv6 sid) {
        return at.header().hopLimit() <= 1
                ? Steps.outOfHops(at, name)
                : pass(at.header().shifted(sid), Optional.empty());
    }

    @Override
    public Steps judge(Sera firewall) {
        return walk.judging().judge(at, own, firewall, name, trail);
    }

    private Steps withArguments(Supplier<Steps> rest) {
        Ipv6 found = at.header().destination().shiftLeft(own.sid().length());
        return walk.arguments().filter(wanted -> wanted.bits().equals(found)).isPresent()
                ? rest.get()
                : fail(
                        Reason.ARGUMENTS_LOST,
                        "finds other bits behind " + own.sid() + " in "
                                + at.header().destination()
                                + " than the arguments that were written: a node took them for uSIDs");
    }

    private Steps withoutArgument(Supplier<Steps> rest) {
        return at.header().destination().shiftLeft(own.sid().length()).isZero()
                ? rest.get()
                : fail(
                        Reason.ARGUMENT_NOT_ZERO,
                        "does not shift at " + name + ", so what stands behind " + own.sid() + " in "
                                + at.header().destination() + " is lost");
    }

    /** DA.Argument: all bits behind the SID, left-aligned. All of them decide, not only the next uSID (RFC 9800, 4.1.1). */
    private Ipv6 argument(int blockLength, int csidLength) {
        return at.header().destination().shiftLeft(blockLength + csidLength);
    }

    private Steps shift(int blockLength, int csidLength, Optional<Integer> nextHop) {
        if (at.header().hopLimit() <= 1) {
            return Steps.outOfHops(at, name);
        }
        Ipv6 argument = argument(blockLength, csidLength).shiftRight(blockLength);
        Ipv6 shifted = at.header().destination().truncate(blockLength).or(argument);
        return pass(at.header().shifted(shifted), nextHop);
    }

    private Steps advance(boolean psp, Optional<Integer> nextHop) {
        return refuseToAdvance().orElseGet(() -> pass(at.header().advanced(psp), nextHop));
    }

    /** RFC 8986, 4.1, S02 to S11. */
    private Optional<Steps> refuseToAdvance() {
        if (at.header().segmentsLeft() == 0) {
            return Optional.of(fail(
                    Reason.NOT_DECAPSULATED,
                    "is the end of the segment list, but its SID " + at.header().destination()
                            + " does not decapsulate"));
        }
        if (at.header().hopLimit() <= 1) {
            return Optional.of(Steps.outOfHops(at, name));
        }
        return Steps.beyondList(at, name);
    }

    private Steps remove(Behavior.Family accepts, int vrf, Optional<Integer> nextHop) {
        Inner inner = at.header().inner();
        if (at.header().segmentsLeft() != 0) {
            return fail(
                    Reason.SEGMENTS_LEFT_NOT_ZERO,
                    "decapsulates only the last segment, but " + at.header().segmentsLeft() + " are left");
        }
        if (accepts != Behavior.Family.BOTH && accepts != inner.family()) {
            return fail(
                    Reason.WRONG_INNER_FAMILY,
                    "decapsulates " + accepts + " with " + name + ", but the packet inside is " + inner.family());
        }
        if (nextHop.isPresent()) {
            return crossConnect(nextHop.get());
        }
        if (inner instanceof Header next) {
            Steps rest = walk.visit(at.node(), next, false, trail);
            return Steps.chain(Steps.hop(at, name, next, Optional.empty(), List.of()), rest);
        }
        Optional<IpAddress> destination = ((Payload) inner).destination();
        List<Adjacency> delivery = destination
                .map(address -> walk.fib().route(at.node(), vrf, address))
                .orElse(List.of());
        if (destination.isPresent() && delivery.isEmpty()) {
            return fail(
                    Reason.NO_INNER_ROUTE,
                    "has no route to the inner destination " + destination.get() + (vrf == 0 ? "" : " in VRF " + vrf));
        }
        return arrive(Optional.of(vrf), delivery.stream().sorted().findFirst());
    }

    private Steps crossConnect(int nextHop) {
        Optional<Adjacency> adjacency = walk.fib().adjacency(at.node(), nextHop);
        if (adjacency.isEmpty()) {
            return fail(Reason.NO_ADJACENCY, "has no next hop " + nextHop);
        }
        if (at.header().inner() instanceof Header next) {
            return walk.transmit(at, name, next, List.of(adjacency.get()), trail);
        }
        return arrive(Optional.empty(), adjacency);
    }

    private Steps arrive(Optional<Integer> vrf, Optional<Adjacency> delivery) {
        return Steps.arrived(
                Steps.last(at, name, delivery.map(Adjacency::link)), new Arrival(at.node(), name, vrf, delivery));
    }

    private Steps push(int sidList) {
        Optional<Steps> refused = refuseToAdvance();
        if (refused.isPresent()) {
            return refused.get();
        }
        List<List<Ipv6>> members = walk.fib().segmentLists(at.node(), sidList);
        if (members.isEmpty()) {
            return fail(Reason.NO_SID_LIST, "has no sid_list " + Integer.toUnsignedString(sidList));
        }
        if (depth(at.header()) >= MAX_HEADERS) {
            return fail(
                    Reason.LOOP,
                    "pushes a header although " + MAX_HEADERS
                            + " are on the packet: its binding SIDs lead into each other");
        }
        Header carried = at.header().advanced(false);
        @Nullable Steps first = null;
        for (List<Ipv6> path : members) {
            Header header = walk.pushed(at.node(), path, true, at.header().hopLimit(), carried);
            Steps steps = pass(header, Optional.empty());
            if (steps.failure() != null) {
                return steps;
            }
            first = first == null ? steps : first;
        }
        return Objects.requireNonNull(first, "the list has members");
    }

    private static int depth(Inner inner) {
        return inner instanceof Header header ? 1 + depth(header.inner()) : 0;
    }

    private Steps pass(Header header, Optional<Integer> nextHop) {
        return walk.pass(at, name, header, nextHop, trail);
    }

    private Steps fail(Reason reason, String message) {
        return Steps.fail(at, name, reason, message);
    }
}
