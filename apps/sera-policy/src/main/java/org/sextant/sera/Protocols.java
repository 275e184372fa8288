// SPDX-License-Identifier: Apache-2.0
package org.sextant.sera;

import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/** Numbers of protocols (IANA), for those with names in firewalls. */
public final class Protocols {
    public static final int TCP = 6;
    public static final int UDP = 17;
    public static final int ICMP = 1;
    public static final int ICMPV6 = 58;

    /** The protocols whose ports a node reads. */
    public static final Set<Integer> WITH_PORTS = Set.of(TCP, UDP, 33, 132, 136);

    private static final Map<String, Integer> NUMBERS = Map.ofEntries(
            Map.entry("icmp", ICMP),
            Map.entry("igmp", 2),
            Map.entry("ipv4", 4),
            Map.entry("ipencap", 4),
            Map.entry("tcp", TCP),
            Map.entry("udp", UDP),
            Map.entry("dccp", 33),
            Map.entry("ipv6", 41),
            Map.entry("rsvp", 46),
            Map.entry("gre", 47),
            Map.entry("esp", 50),
            Map.entry("ah", 51),
            Map.entry("icmpv6", ICMPV6),
            Map.entry("ipv6-icmp", ICMPV6),
            Map.entry("ipv6-nonxt", 59),
            Map.entry("ospf", 89),
            Map.entry("pim", 103),
            Map.entry("vrrp", 112),
            Map.entry("sctp", 132),
            Map.entry("udplite", 136),
            Map.entry("ethernet", 143));

    private Protocols() {}

    /** The number of a name; empty if the name is unknown. */
    public static OptionalInt named(String name) {
        Integer number = NUMBERS.get(name);
        return number == null ? OptionalInt.empty() : OptionalInt.of(number);
    }

    /** Is true if all matched numbers are among {@code these}; false without numbers. */
    public static boolean within(Optional<Numbers> numbers, Set<Integer> these) {
        return numbers.isPresent()
                && numbers.get().taken().stream()
                        .allMatch(span -> span.high() - span.low() < these.size()
                                && IntStream.rangeClosed(span.low(), span.high())
                                        .allMatch(number -> these.contains(number)));
    }

    /** The form in JSON: names that every firewall has, otherwise numbers. */
    static String text(Numbers numbers) {
        if (numbers.spans().stream().allMatch(span -> span.low() == span.high())) {
            return (numbers.negated() ? "!" : "")
                    + numbers.spans().stream().map(span -> word(span.low())).collect(Collectors.joining(","));
        }
        return numbers.toString();
    }

    private static String word(int number) {
        return switch (number) {
            case TCP -> "tcp";
            case UDP -> "udp";
            case ICMP -> "icmp";
            case ICMPV6 -> "icmpv6";
            case 132 -> "sctp";
            default -> String.valueOf(number);
        };
    }
}
