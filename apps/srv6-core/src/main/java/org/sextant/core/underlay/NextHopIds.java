// SPDX-License-Identifier: Apache-2.0
package org.sextant.core.underlay;

import java.util.Collection;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import org.sextant.core.ip.MacAddress;
import org.sextant.core.net.Host;

/**
 * The next hop ids of a node. An id denotes a neighbor, so that it keeps its meaning while routes use it: a host that
 * is added or removed leaves the ids of the others alone, and one that moves or gets another MAC address gets another
 * id, is added, has its routes changed, and only then loses the old one.
 *
 * <pre>
 *   1 to 510         the neighbor over the port of that number, at the other end of the cable
 *   1024 to 65279    an attached host, by its port and MAC address
 * </pre>
 *
 * A host's id is picked from its own sequence of pseudo-random ids: the first that no host with a smaller (port, MAC
 * address) has. Thus every controller computes the same ids on its own. Among n hosts, one in 64256 / n shares its
 * first id with another; only then can a new host change the id of another, and the engine keeps packets from being
 * misrouted ({@code core.intent.install.NextHopReuse}).
 */
public final class NextHopIds {
    private static final int FIRST_HOST = 1024;

    /** Node agents make an address of each id (ADR 2), which leaves out the last 256. */
    private static final int LAST_HOST = 65_279;

    private static final int PORT_BITS = 9;

    private NextHopIds() {}

    /** The neighbor over a port: the port's number, 1 to 510. */
    public static int ofPort(int port) {
        return port;
    }

    /** The properties that distinguish hosts of one node on the wire. */
    public record Attachment(int port, MacAddress mac) implements Comparable<Attachment> {

        /** @param host one whose MAC address is known */
        public static Attachment of(Host host) {
            return new Attachment(host.location().port(), host.mac().orElseThrow());
        }

        @Override
        public int compareTo(Attachment other) {
            return Long.compare(bits(), other.bits());
        }

        private long bits() {
            return (long) port << Long.SIZE - PORT_BITS - 1 | mac.value();
        }
    }

    /** The ids of a node's attached hosts; of more than 64256, which no table holds, the last have none. */
    public static Map<Attachment, Integer> ofHosts(Collection<Attachment> hosts) {
        Map<Attachment, Integer> ids = new TreeMap<>();
        Set<Integer> taken = new HashSet<>();
        for (Attachment host : new TreeSet<>(hosts)) {
            if (taken.size() > LAST_HOST - FIRST_HOST) {
                break;
            }
            int choice = 0;
            while (!taken.add(choice(host, choice))) {
                choice++;
            }
            ids.put(host, choice(host, choice));
        }
        return ids;
    }

    /** The id that a host gets if its first {@code before} choices are taken. */
    public static int choice(Attachment host, int before) {
        long spread = mix(host.bits() + mix(before));
        return FIRST_HOST + (int) Long.remainderUnsigned(spread, LAST_HOST - FIRST_HOST + 1);
    }

    /** The finalizer of SplitMix64 (Steele, Lea, Flood: Fast splittable pseudorandom number generators, 2014). */
    private static long mix(long value) {
        long mixed = value + 0x9e3779b97f4a7c15L;
        mixed = (mixed ^ mixed >>> 30) * 0xbf58476d1ce4e5b9L;
        mixed = (mixed ^ mixed >>> 27) * 0x94d049bb133111ebL;
        return mixed ^ mixed >>> 31;
    }
}
