// SPDX-License-Identifier: Apache-2.0
package org.sextant.sera.plan;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.TreeMap;
import org.sextant.core.filter.Box;
import org.sextant.core.filter.Facts;
import org.sextant.core.filter.KeyField;
import org.sextant.core.ip.IpPrefix;
import org.sextant.core.ip.Ipv6;
import org.sextant.kit.Family;
import org.sextant.sera.Groups;
import org.sextant.sera.Numbers;
import org.sextant.sera.Peer;
import org.sextant.sera.Rule;
import org.sextant.sera.SrhMatch;

/**
 * The table entries of a rule. An entry matches one interval of a range and one value under a mask, so a match on a
 * field may need several: a negated prefix of length n needs n entries, a negated range two at most. Fields multiply:
 *
 * <pre>
 *   destination !2001:db8::/32, ports !53   32 x 2 entries
 * </pre>
 */
public final class RuleRows {
    private static final int HAS_SRH = KeyField.HAS_SRH;

    /** The address matches per family: each alternative is combined with all other fields. */
    private final List<Ends> ends;

    private final List<Asked> others = new ArrayList<>();

    /** The match on one field. */
    private record Asked(String field, List<Box> boxes) {}

    /** The match on the addresses of one family. */
    private record Ends(Box version, List<Box> source, List<Box> destination) {
        long count() {
            return (long) source.size() * destination.size();
        }
    }

    public RuleRows(Rule rule, Groups groups) {
        ends = ends(rule, groups);
        rule.protocol().ifPresent(numbers -> numbers("/protocol", KeyField.IP_PROTOCOL, numbers));
        rule.sourcePorts().ifPresent(numbers -> numbers("/sourcePorts", KeyField.SRC_PORT, numbers));
        rule.destinationPorts().ifPresent(numbers -> numbers("/destinationPorts", KeyField.DST_PORT, numbers));
        rule.tcpFlags()
                .ifPresent(flags -> add(
                        "/tcpFlags",
                        flags.masked().stream()
                                .map(one -> masked(KeyField.TCP_FLAGS, one))
                                .toList()));
        rule.icmpType()
                .ifPresent(icmp -> add(
                        "/icmpType",
                        icmp.pairs().stream()
                                .map(pair -> masked(KeyField.ICMP_TYPE, pair.type())
                                        .and(masked(KeyField.ICMP_CODE, pair.code())))
                                .toList()));
        rule.srh().ifPresent(this::srh);
        if (!rule.outerSource().isEmpty()) {
            add("/outerSource", within(KeyField.OUTER_SRC, Addresses.of(rule.outerSource(), Family.IPV6, groups)));
        }
        rule.args().ifPresent(numbers -> numbers("/args", KeyField.ARGS, numbers));
        rule.established().ifPresent(known -> add("/state", List.of(Box.equal(KeyField.ESTABLISHED, known ? 1 : 0))));
    }

    private void srh(SrhMatch srh) {
        srh.present()
                .ifPresent(
                        present -> add("/srh/present", List.of(present ? Box.having(HAS_SRH) : Box.lacking(HAS_SRH))));
        srh.nextHeader().ifPresent(numbers -> numbers("/srh/nextHeader", KeyField.SRH_NEXT_HDR, numbers));
        srh.headerLength().ifPresent(numbers -> numbers("/srh/headerLength", KeyField.SRH_HDR_LEN, numbers));
        srh.segmentsLeft().ifPresent(numbers -> numbers("/srh/segmentsLeft", KeyField.SEGMENTS_LEFT, numbers));
        srh.lastEntry().ifPresent(numbers -> numbers("/srh/lastEntry", KeyField.LAST_ENTRY, numbers));
        srh.flags()
                .ifPresent(flags -> add(
                        "/srh/flags",
                        List.of(masked(KeyField.SRH_FLAGS, new Numbers.Masked(flags.value(), flags.mask())))));
        srh.tag().ifPresent(numbers -> numbers("/srh/tag", KeyField.SRH_TAG, numbers));
        sid("/srh/previousSid", KeyField.PREVIOUS_SID, srh.previousSid());
        sid("/srh/nextSid", KeyField.NEXT_SID, srh.nextSid());
        sid("/srh/lastSid", KeyField.LAST_SID, srh.lastSid());
    }

    private void sid(String name, KeyField field, Optional<Peer> sid) {
        Groups none = new Groups(new TreeMap<>());
        sid.ifPresent(peer -> add(name, within(field, Addresses.of(List.of(peer), Family.IPV6, none))));
    }

    private void add(String name, List<Box> boxes) {
        others.add(new Asked(name, boxes));
    }

    private void numbers(String name, KeyField field, Numbers numbers) {
        add(name, numbers(field, numbers));
    }

    private static List<Box> numbers(KeyField field, Numbers numbers) {
        return field.isRange()
                ? numbers.taken().stream()
                        .map(span -> Box.within(field, span.low(), span.high()))
                        .toList()
                : numbers.masked().stream().map(one -> masked(field, one)).toList();
    }

    private static Box masked(KeyField field, Numbers.Masked one) {
        return Box.masked(field, new Ipv6(0, one.value()), new Ipv6(0, one.mask()));
    }

    private static List<Box> within(KeyField field, List<IpPrefix> prefixes) {
        return prefixes.stream().map(prefix -> within(field, prefix)).toList();
    }

    /** The version alone matches all of IPv4. */
    private static Box within(KeyField field, IpPrefix prefix) {
        return prefix.length() == 0 ? Box.having(field.presence()) : Box.within(field, prefix);
    }

    private static List<Ends> ends(Rule rule, Groups groups) {
        if (rule.family().isEmpty()
                && rule.source().isEmpty()
                && rule.destination().isEmpty()) {
            return List.of(new Ends(Box.ALL, List.of(Box.ALL), List.of(Box.ALL)));
        }
        return rule.family().map(List::of).orElse(List.of(Family.IPV6, Family.IPV4)).stream()
                .map(family -> new Ends(
                        Box.equal(KeyField.IP_VERSION, family == Family.IPV6 ? 6 : 4),
                        within(KeyField.SRC, Addresses.of(rule.source(), family, groups)),
                        within(KeyField.DST, Addresses.of(rule.destination(), family, groups))))
                .toList();
    }

    /** The number of entries; above the maximum of a firewall, an upper bound. */
    public long count() {
        long count = ends.stream().mapToLong(Ends::count).sum();
        for (Asked field : others) {
            count = Math.min(count * field.boxes().size(), Integer.MAX_VALUE);
        }
        return count;
    }

    /** The matches of the entries. */
    public List<Box> boxes() {
        List<Box> boxes = new ArrayList<>();
        ends.forEach(family ->
                boxes.addAll(product(product(List.of(family.version()), family.source()), family.destination())));
        List<Box> all = boxes;
        for (Asked field : others) {
            all = product(all, field.boxes());
        }
        return all;
    }

    /** The first field of the rule that the packet does not match; empty if it matches the rule. */
    public Optional<String> differs(Facts packet) {
        if (ends.stream().noneMatch(family -> family.version().contains(packet))) {
            return Optional.of("/family");
        }
        if (ends.stream().noneMatch(family -> has(family.version(), family.source(), packet))) {
            return Optional.of("/source");
        }
        if (ends.stream().noneMatch(family -> has(family.version(), family.destination(), packet))) {
            return Optional.of("/destination");
        }
        return others.stream()
                .filter(field -> field.boxes().stream().noneMatch(box -> box.contains(packet)))
                .map(Asked::field)
                .findFirst();
    }

    private static boolean has(Box version, List<Box> boxes, Facts packet) {
        return version.contains(packet) && boxes.stream().anyMatch(box -> box.contains(packet));
    }

    /** Fields with equal matches on protocol or presence agree; contradictions yield no entry. */
    private static List<Box> product(List<Box> some, List<Box> more) {
        return some.stream()
                .flatMap(one -> more.stream().flatMap(other -> one.intersect(other).stream()))
                .toList();
    }
}
