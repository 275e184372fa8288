// SPDX-License-Identifier: Apache-2.0
package org.sextant.sera.imports;

import java.util.Locale;
import java.util.Set;

/**
 * The position of a base chain in packet processing (Netfilter's hooks).
 *
 * @param table in messages: {@code table raw}, {@code chain inet/filter/early}
 * @param family of nft: ip, ip6, inet, or one below IP
 * @param name of the hook, lower-case
 * @param becomesFirewall true if the chain can be imported
 */
record Hook(String table, String family, String name, boolean becomesFirewall) {
    private static final Set<String> FORWARDED = Set.of("ingress", "prerouting", "forward", "postrouting", "egress");
    private static final Set<String> DELIVERED = Set.of("ingress", "prerouting", "input");
    private static final Set<String> SENT = Set.of("output", "postrouting", "egress");
    private static final Set<String> BELOW_IP = Set.of("bridge", "netdev");

    Hook {
        name = name.toLowerCase(Locale.ROOT);
    }

    /** True if packets that traverse this chain traverse the other one, too: before, after or at the same hook. */
    boolean sharesPackets(Hook other) {
        Set<String> path = switch (name) {
            case "input" -> DELIVERED;
            case "output" -> SENT;
            default -> FORWARDED;
        };
        return overlaps(other) && (BELOW_IP.contains(other.family()) || path.contains(other.name()));
    }

    private boolean overlaps(Hook other) {
        return family.equals(other.family())
                || BELOW_IP.contains(other.family())
                || Set.of("ip", "ip6").contains(family) && other.family().equals("inet")
                || family.equals("inet") && Set.of("ip", "ip6").contains(other.family());
    }
}
