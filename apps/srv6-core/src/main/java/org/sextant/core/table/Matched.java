// SPDX-License-Identifier: Apache-2.0
package org.sextant.core.table;

import org.sextant.core.ip.IpAddress;
import org.sextant.core.ip.IpPrefix;
import org.sextant.core.ip.Ipv4;
import org.sextant.core.ip.Ipv6;

/** The matches of frequent types of rows: small values, whose text is created only on demand. */
final class Matched {
    private Matched() {}

    /** An id, unsigned. */
    record Id(int value) implements Comparable<Id> {
        static Id parse(String text) {
            return new Id(Integer.parseUnsignedInt(words(text, "id", 2)[1]));
        }

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
        static Destination parse(String text) {
            String[] words = words(text, "vrf", 3);
            return new Destination(Integer.parseInt(words[1]), IpPrefix.parse(words[2]));
        }

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

    /** A tunnel endpoint in a VRF and a TEID there, unsigned. */
    record Tunnel(int vrf, IpAddress endpoint, int teid) implements Comparable<Tunnel> {
        static Tunnel parse(String text) {
            String[] words = words(text, "vrf", 5);
            return new Tunnel(
                    Integer.parseInt(words[1]), IpAddress.parse(words[2]), Integer.parseUnsignedInt(words[4]));
        }

        @Override
        public int compareTo(Tunnel other) {
            int order = Integer.compare(vrf, other.vrf);
            if (order == 0) {
                order = Destination.compare(endpoint, other.endpoint);
            }
            return order != 0 ? order : Integer.compareUnsigned(teid, other.teid);
        }

        @Override
        public String toString() {
            return "vrf " + vrf + " " + endpoint + " teid " + Integer.toUnsignedString(teid);
        }
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
        if (one instanceof Tunnel a && other instanceof Tunnel b) {
            return a.compareTo(b);
        }
        return one instanceof Destination a && other instanceof Destination b
                ? a.compareTo(b)
                : one.toString().compareTo(other.toString());
    }
}
