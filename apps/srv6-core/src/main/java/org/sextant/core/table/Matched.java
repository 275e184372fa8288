// SPDX-License-Identifier: Apache-2.0
package org.sextant.core.table;

import java.util.Set;
import org.sextant.core.ip.IpAddress;
import org.sextant.core.ip.IpPrefix;
import org.sextant.core.ip.Ipv4;
import org.sextant.core.ip.Ipv6;

/** What rows match, where there are many of a kind: small values, spelled out only when somebody reads them. */
final class Matched {
    private static final Set<String> DESTINATIONS =
            Set.of(Steering.TABLE_V6, Steering.TABLE_V4, Route.TABLE_V6, Route.TABLE_V4);

    private Matched() {}

    /** An id, unsigned. */
    record Id(int value) implements Comparable<Id> {
        @Override
        public int compareTo(Id other) {
            return Integer.compareUnsigned(value, other.value);
        }

        @Override
        public String toString() {
            return "id " + Integer.toUnsignedString(value);
        }
    }

    /** A destination in a VRF; the destinations of one table are of one family. */
    record Destination(int vrf, IpPrefix prefix) implements Comparable<Destination> {
        @Override
        public int compareTo(Destination other) {
            int order = Integer.compare(vrf, other.vrf);
            if (order == 0) {
                order = compare(prefix.address(), other.prefix.address());
            }
            return order != 0 ? order : Integer.compare(prefix.length(), other.prefix.length());
        }

        private static int compare(IpAddress one, IpAddress other) {
            if (one instanceof Ipv6 a && other instanceof Ipv6 b) {
                return a.compareTo(b);
            }
            return one instanceof Ipv4 a && other instanceof Ipv4 b
                    ? Integer.compareUnsigned(a.value(), b.value())
                    : one.toString().compareTo(other.toString());
        }

        @Override
        public String toString() {
            return "vrf " + vrf + " " + prefix;
        }
    }

    /**
     * What rows of a table match, from its text.
     *
     * @throws IllegalArgumentException if rows of that table match no such thing
     */
    static Object parse(String table, String text) {
        if (table.equals(SidList.TABLE) || table.equals(NextHop.TABLE)) {
            return new Id(Integer.parseUnsignedInt(words(text, "id", 2)[1]));
        }
        if (DESTINATIONS.contains(table)) {
            String[] words = words(text, "vrf", 3);
            return new Destination(Integer.parseInt(words[1]), IpPrefix.parse(words[2]));
        }
        return table.equals(MySid.TABLE) ? IpPrefix.parse(text) : text;
    }

    private static String[] words(String text, String first, int count) {
        String[] words = text.split(" ");
        if (words.length != count || !words[0].equals(first)) {
            throw new IllegalArgumentException("\"" + text + "\" is not what a row matches");
        }
        return words;
    }

    /** In the order of values of one kind, which those of one table are. */
    static int compare(Object one, Object other) {
        if (one instanceof Id a && other instanceof Id b) {
            return a.compareTo(b);
        }
        return one instanceof Destination a && other instanceof Destination b
                ? a.compareTo(b)
                : one.toString().compareTo(other.toString());
    }
}
