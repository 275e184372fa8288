// SPDX-License-Identifier: Apache-2.0
package org.sextant.sera.imports;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import org.jspecify.annotations.Nullable;
import org.sextant.core.ip.IpAddress;
import org.sextant.core.ip.IpPrefix;
import org.sextant.core.ip.Ipv4;
import org.sextant.core.ip.Ipv6;
import org.sextant.kit.Family;
import org.sextant.sera.Firewall;
import org.sextant.sera.IcmpType;
import org.sextant.sera.Numbers;
import org.sextant.sera.Peer;
import org.sextant.sera.Protocols;
import org.sextant.sera.Rule;
import org.sextant.sera.SrhMatch;
import org.sextant.sera.TcpFlags;
import org.sextant.sera.Verb;

/** A match that is being read, word by word. A repeated field is rejected if one rule cannot express both. */
final class Draft {
    private static final int MOST_RULES = Firewall.MOST_ROWS;

    final List<Peer> source = new ArrayList<>();
    final List<Peer> destination = new ArrayList<>();
    final List<Peer> outerSource = new ArrayList<>();
    final List<String> warnings = new ArrayList<>();
    private final List<List<Rule>> alternatives = new ArrayList<>();
    private boolean asksForHeader;

    private @Nullable Family family;
    private @Nullable Numbers protocol;
    private @Nullable Numbers sourcePorts;
    private @Nullable Numbers destinationPorts;
    private @Nullable TcpFlags flags;
    private @Nullable IcmpType icmp;
    private @Nullable Boolean present;
    private @Nullable Numbers nextHeader;
    private @Nullable Numbers headerLength;
    private @Nullable Numbers segmentsLeft;
    private @Nullable Numbers lastEntry;
    private SrhMatch.@Nullable Flags srhFlags;
    private @Nullable Numbers tag;
    private @Nullable Peer previousSid;
    private @Nullable Peer nextSid;
    private @Nullable Peer lastSid;
    private @Nullable Boolean established;

    /** The value of a word; an IllegalArgumentException names the problem. */
    @FunctionalInterface
    interface Reading<T> {
        T read();
    }

    static <T> T read(Reading<T> reading) throws Refused {
        try {
            return reading.read();
        } catch (IllegalArgumentException e) {
            throw new Refused(String.valueOf(e.getMessage()));
        }
    }

    private static <T> T once(@Nullable T before, T now, String what) throws Refused {
        if (before != null && !before.equals(now)) {
            throw new Refused("it asks for " + what + " twice");
        }
        return now;
    }

    void family(Family value) throws Refused {
        family = once(family, value, "the version of IP");
    }

    void protocol(Numbers value) throws Refused {
        protocol = once(protocol, value, "the protocol");
    }

    /** The protocol that a match on a header implies. */
    void implied(int number) throws Refused {
        if (protocol != null && !protocol.takes(number)) {
            throw new Refused("it asks for protocol " + protocol + " and for fields of protocol " + number);
        }
        protocol = Numbers.of(8, number);
    }

    /** Requires the header of a protocol, with any content: a later fragment has none. */
    void header(int number) throws Refused {
        implied(number);
        asksForHeader = true;
    }

    void ports(boolean ofSource, Numbers value) throws Refused {
        if (ofSource) {
            sourcePorts = once(sourcePorts, value, "source ports");
        } else {
            destinationPorts = once(destinationPorts, value, "destination ports");
        }
    }

    void flags(TcpFlags value) throws Refused {
        implied(Protocols.TCP);
        flags = once(flags, value, "flags of TCP");
    }

    void icmp(IcmpType value) throws Refused {
        icmp = once(icmp, value, "types of ICMP");
    }

    void established(boolean value) throws Refused {
        established = once(established, value, "the state of flows");
    }

    void srh() {
        present = Boolean.TRUE;
    }

    void srh(String field, Numbers value) throws Refused {
        srh();
        switch (field) {
            case "next" -> nextHeader = once(nextHeader, value, "the next header");
            case "length" -> headerLength = once(headerLength, value, "the length of the header");
            case "left" -> segmentsLeft = once(segmentsLeft, value, "segments left");
            case "last" -> lastEntry = once(lastEntry, value, "the last entry");
            case "tag" -> tag = once(tag, value, "the tag");
            default -> throw new IllegalArgumentException(field);
        }
    }

    void srhFlags(int value) throws Refused {
        srh();
        srhFlags = once(srhFlags, new SrhMatch.Flags(value, 0xff), "flags of the header");
    }

    void sid(String field, Peer value) throws Refused {
        srh();
        switch (field) {
            case "previous" -> previousSid = once(previousSid, value, "the previous SID");
            case "next" -> nextSid = once(nextSid, value, "the next SID");
            case "last" -> lastSid = once(lastSid, value, "the last SID");
            default -> throw new IllegalArgumentException(field);
        }
    }

    /** A prefix, or an address with a mask of ones followed by zeros; bits outside are ignored, as in iptables. */
    static Peer peer(String text, boolean negated) throws Refused {
        IpPrefix prefix = read(() -> prefix(text));
        return negated ? Peer.of(prefix).not() : Peer.of(prefix);
    }

    private static IpPrefix prefix(String text) {
        int slash = text.indexOf('/');
        if (slash < 0) {
            return IpPrefix.parse(text);
        }
        IpAddress address = IpAddress.parse(text.substring(0, slash));
        String mask = text.substring(slash + 1);
        int length = mask.matches("[0-9]{1,3}") ? Integer.parseInt(mask) : length(IpAddress.parse(mask), text);
        return IpPrefix.of(address, Math.min(length, 129));
    }

    private static int length(IpAddress mask, String text) {
        Ipv6 bits = mask instanceof Ipv4 four ? new Ipv6(Integer.toUnsignedLong(four.value()) << 32, 0) : (Ipv6) mask;
        int length = Long.bitCount(bits.high()) + Long.bitCount(bits.low());
        if (!bits.equals(Ipv6.mask(length))) {
            throw new IllegalArgumentException("the mask of " + text + " has zeros between ones");
        }
        return length;
    }

    static Numbers numbers(int bits, String text) throws Refused {
        return read(() -> Numbers.parse(bits, text, name -> OptionalInt.empty()));
    }

    /** Requires that a packet also matches one of these; none: no packet matches. */
    void also(List<Rule> oneOf) {
        alternatives.add(oneOf);
    }

    /** The line as rules: a packet matches the line if it matches one of them. Their verbs have no meaning. */
    List<Rule> rules() throws Refused {
        List<Rule> rules = ofHeader();
        for (List<Rule> oneOf : alternatives) {
            if ((long) rules.size() * oneOf.size() > MOST_RULES) {
                throw new Refused("it comes to more than " + MOST_RULES + " rules");
            }
            List<Rule> both = new ArrayList<>();
            for (Rule rule : rules) {
                for (Rule other : oneOf) {
                    Conjunction.of(rule, other).ifPresent(both::add);
                }
            }
            rules = both;
        }
        return rules;
    }

    private List<Rule> ofHeader() throws Refused {
        Optional<Numbers> header = Optional.ofNullable(protocol).filter(of -> asksForHeader);
        if (header.isEmpty()) {
            return List.of(rule());
        }
        if (Protocols.within(header, Protocols.WITH_PORTS)) {
            if (sourcePorts == null && destinationPorts == null && flags == null) {
                destinationPorts = new Numbers(16, false, List.of(new Numbers.Span(0, 0xffff)));
            }
        } else if (icmp == null) {
            return List.of(
                    ofType(new IcmpType(false, 0, Optional.empty())), ofType(new IcmpType(true, 0, Optional.empty())));
        }
        return List.of(rule());
    }

    private Rule ofType(IcmpType type) {
        icmp = type;
        return rule();
    }

    /** The rule read so far; its verb has no meaning. */
    Rule rule() {
        boolean asks = present != null || lastSid != null || nextSid != null || previousSid != null;
        Optional<SrhMatch> srh = !asks
                ? Optional.empty()
                : Optional.of(new SrhMatch(
                        Optional.ofNullable(present),
                        Optional.ofNullable(nextHeader),
                        Optional.ofNullable(headerLength),
                        Optional.ofNullable(segmentsLeft),
                        Optional.ofNullable(lastEntry),
                        Optional.ofNullable(srhFlags),
                        Optional.ofNullable(tag),
                        Optional.ofNullable(previousSid),
                        Optional.ofNullable(nextSid),
                        Optional.ofNullable(lastSid)));
        return new Rule(
                Optional.empty(),
                Optional.ofNullable(family),
                source,
                destination,
                Optional.ofNullable(protocol),
                Optional.ofNullable(sourcePorts),
                Optional.ofNullable(destinationPorts),
                Optional.ofNullable(flags),
                Optional.ofNullable(icmp),
                srh,
                outerSource,
                Optional.empty(),
                Optional.ofNullable(established),
                Verb.DROP,
                false);
    }
}
