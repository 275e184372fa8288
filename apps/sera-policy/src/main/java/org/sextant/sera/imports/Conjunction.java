// SPDX-License-Identifier: Apache-2.0
package org.sextant.sera.imports;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.BinaryOperator;
import org.sextant.core.ip.IpPrefix;
import org.sextant.sera.IcmpType;
import org.sextant.sera.Numbers;
import org.sextant.sera.Peer;
import org.sextant.sera.Rule;
import org.sextant.sera.SrhMatch;
import org.sextant.sera.TcpFlags;

/** The intersection of two rules as one rule: that of a line in a chain, and that of the jump to the chain. */
final class Conjunction {
    /** No packet matches both. */
    private static final class Never extends RuntimeException {
        private static final long serialVersionUID = 1L;

        Never() {
            super(null, null, false, false);
        }
    }

    /** No single rule can express the intersection. */
    private static final class Unsayable extends RuntimeException {
        private static final long serialVersionUID = 1L;

        Unsayable(String what) {
            super("two lines ask for " + what + ", and one rule cannot say both");
        }
    }

    private Conjunction() {}

    /**
     * The rule; empty if it matches no packet.
     *
     * @throws Refused if no single rule can express it
     */
    static Optional<Rule> of(Rule one, Rule other) throws Refused {
        try {
            return Optional.of(both(one, other));
        } catch (Never never) {
            return Optional.empty();
        } catch (Unsayable unsayable) {
            throw new Refused(String.valueOf(unsayable.getMessage()));
        } catch (IllegalArgumentException broken) {
            throw new Refused("with the line that leads to it: " + broken.getMessage());
        }
    }

    private static Rule both(Rule one, Rule other) {
        return new Rule(
                Optional.empty(),
                join(one.family(), other.family(), Conjunction::same),
                peers(one.source(), other.source()),
                peers(one.destination(), other.destination()),
                join(one.protocol(), other.protocol(), Conjunction::numbers),
                join(one.sourcePorts(), other.sourcePorts(), Conjunction::numbers),
                join(one.destinationPorts(), other.destinationPorts(), Conjunction::numbers),
                join(one.tcpFlags(), other.tcpFlags(), Conjunction::flags),
                join(one.icmpType(), other.icmpType(), Conjunction::icmp),
                join(one.srh(), other.srh(), Conjunction::srh),
                peers(one.outerSource(), other.outerSource()),
                join(one.args(), other.args(), Conjunction::numbers),
                join(one.established(), other.established(), Conjunction::same),
                other.verb(),
                one.log() || other.log());
    }

    private static <T> Optional<T> join(Optional<T> one, Optional<T> other, BinaryOperator<T> both) {
        return one.isPresent() && other.isPresent()
                ? Optional.of(both.apply(one.get(), other.get()))
                : one.or(() -> other);
    }

    private static <T> T same(T one, T other) {
        if (!one.equals(other)) {
            throw new Never();
        }
        return one;
    }

    private static Numbers numbers(Numbers one, Numbers other) {
        List<Numbers.Span> common = new ArrayList<>();
        for (Numbers.Span a : one.taken()) {
            for (Numbers.Span b : other.taken()) {
                int low = Math.max(a.low(), b.low());
                int high = Math.min(a.high(), b.high());
                if (low <= high) {
                    common.add(new Numbers.Span(low, high));
                }
            }
        }
        if (common.isEmpty()) {
            throw new Never();
        }
        return new Numbers(one.bits(), false, common);
    }

    /** The addresses in both; negated ones of either are excluded. */
    private static List<Peer> peers(List<Peer> one, List<Peer> other) {
        List<Peer> all = new ArrayList<>();
        List<Peer> mine = positive(one);
        List<Peer> its = positive(other);
        if (mine.isEmpty() || its.isEmpty()) {
            all.addAll(mine);
            all.addAll(its);
        } else {
            mine.forEach(a -> its.forEach(b -> common(a, b).ifPresent(all::add)));
            if (all.isEmpty()) {
                throw new Never();
            }
        }
        one.stream().filter(Peer::negated).forEach(all::add);
        other.stream().filter(Peer::negated).forEach(all::add);
        return all.stream().distinct().toList();
    }

    private static List<Peer> positive(List<Peer> peers) {
        return peers.stream().filter(peer -> !peer.negated()).toList();
    }

    private static Optional<Peer> common(Peer one, Peer other) {
        if (one.equals(other)) {
            return Optional.of(one);
        }
        if (one.prefix().isEmpty() || other.prefix().isEmpty()) {
            throw new Unsayable("two groups");
        }
        IpPrefix a = one.prefix().get();
        IpPrefix b = other.prefix().get();
        IpPrefix longer = a.length() >= b.length() ? a : b;
        IpPrefix shorter = longer == a ? b : a;
        return shorter.contains(longer.address()) ? Optional.of(Peer.of(longer)) : Optional.empty();
    }

    private static TcpFlags flags(TcpFlags one, TcpFlags other) {
        if (one.equals(other)) {
            return one;
        }
        if (one.equals(other.not())) {
            throw new Never();
        }
        if (one.negated() || other.negated()) {
            throw new Unsayable("flags of TCP");
        }
        int common = one.mask() & other.mask();
        if ((one.set() & common) != (other.set() & common)) {
            throw new Never();
        }
        return new TcpFlags(false, one.mask() | other.mask(), one.set() | other.set());
    }

    private static IcmpType icmp(IcmpType one, IcmpType other) {
        if (one.equals(other)) {
            return one;
        }
        if (one.negated() || other.negated()) {
            throw new Unsayable("types of ICMP");
        }
        if (one.type() != other.type() || one.code().isPresent() && other.code().isPresent()) {
            throw new Never();
        }
        return one.code().isPresent() ? one : other;
    }

    private static SrhMatch srh(SrhMatch one, SrhMatch other) {
        return new SrhMatch(
                join(one.present(), other.present(), Conjunction::same),
                join(one.nextHeader(), other.nextHeader(), Conjunction::numbers),
                join(one.headerLength(), other.headerLength(), Conjunction::numbers),
                join(one.segmentsLeft(), other.segmentsLeft(), Conjunction::numbers),
                join(one.lastEntry(), other.lastEntry(), Conjunction::numbers),
                join(one.flags(), other.flags(), (a, b) -> {
                    throw new Unsayable("flags of the segment routing header");
                }),
                join(one.tag(), other.tag(), Conjunction::numbers),
                join(one.previousSid(), other.previousSid(), Conjunction::sid),
                join(one.nextSid(), other.nextSid(), Conjunction::sid),
                join(one.lastSid(), other.lastSid(), Conjunction::sid));
    }

    private static Peer sid(Peer one, Peer other) {
        if (one.equals(other)) {
            return one;
        }
        if (one.negated() || other.negated()) {
            throw new Unsayable("a SID and not for another");
        }
        return common(one, other).orElseThrow(Never::new);
    }
}
