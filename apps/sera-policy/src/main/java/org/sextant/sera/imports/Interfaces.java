// SPDX-License-Identifier: Apache-2.0
package org.sextant.sera.imports;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import org.sextant.core.Problem;
import org.sextant.core.ProblemException;
import org.sextant.core.ip.IpPrefix;
import org.sextant.core.json.Fields;
import org.sextant.kit.Family;
import org.sextant.sera.Peer;

/**
 * The addresses behind the interfaces that a text names. A firewall at a SID has no interfaces: a packet received on
 * one becomes a packet from these addresses, a packet sent on one becomes a packet to them.
 */
public record Interfaces(Map<String, List<IpPrefix>> behind) {
    public static final Interfaces NONE = new Interfaces(Map.of());

    public Interfaces {
        behind = Map.copyOf(behind);
    }

    /**
     * Parses {@code eth0=2001:db8:1::/64,10.0.1.0/24,eth1=2001:db8:2::/64}; the empty text names none.
     *
     * @throws ProblemException if the text has another form
     */
    public static Interfaces parse(String text) {
        Map<String, List<IpPrefix>> behind = new TreeMap<>();
        List<IpPrefix> prefixes = new ArrayList<>();
        for (String part : text.isEmpty() ? List.<String>of() : List.of(text.split(",", -1))) {
            int mark = part.indexOf('=');
            if (mark > 0) {
                prefixes = new ArrayList<>();
                if (behind.putIfAbsent(part.substring(0, mark), prefixes) != null) {
                    throw invalid(part, "it comes twice");
                }
            } else if (behind.isEmpty()) {
                throw invalid(part, "it names no interface");
            }
            try {
                prefixes.add(IpPrefix.parse(part.substring(mark + 1).strip()));
            } catch (IllegalArgumentException e) {
                throw invalid(part, String.valueOf(e.getMessage()));
            }
        }
        return new Interfaces(behind);
    }

    private static ProblemException invalid(String text, String why) {
        return new ProblemException(new Problem(
                Problem.Code.INVALID,
                "/interfaces",
                "\"" + Fields.shorten(text) + "\": " + why,
                "give interfaces=eth0=PREFIX,PREFIX,eth1=PREFIX"));
    }

    /**
     * Adds to a draft that its packets are received on an interface, or sent on it.
     *
     * @param from true for received ones
     * @param family of the packets; empty: both
     */
    void match(Draft draft, String name, boolean from, boolean not, Optional<Family> family) throws Refused {
        if (name.equals("lo")) {
            // Forwarded packets are never received on the loopback interface.
            if (!not) {
                draft.also(List.of());
            }
            return;
        }
        List<IpPrefix> known = behind.get(name);
        if (known == null) {
            throw new Refused("a firewall here has no interface " + name + ": say which addresses are behind it, as in"
                    + " interfaces=" + name + "=2001:db8:1::/64,10.0.1.0/24");
        }
        List<Peer> peers = known.stream()
                .filter(prefix -> family.isEmpty() || family.get() == Family.of(prefix))
                .map(prefix -> not ? Peer.of(prefix).not() : Peer.of(prefix))
                .toList();
        draft.warnings.add("interface " + name + " is taken for the addresses behind it");
        if (peers.isEmpty()) {
            if (!not) {
                draft.also(List.of());
            }
            return;
        }
        Draft one = new Draft();
        (from ? one.source : one.destination).addAll(peers);
        draft.also(List.of(one.rule()));
    }
}
