// SPDX-License-Identifier: Apache-2.0
package org.sextant.core.sid;

import java.util.ArrayList;
import java.util.List;
import org.sextant.core.ip.Ipv6;

/**
 * Packs a path into the fewest segments.
 *
 * <pre>
 *   F3216   | block, 32 bits  | n1 | n2 | n3 | n4 | n5 | n6 |      six slots of 16 bits
 *   nodes   l2 p7 p6 v5 v4 [l3 f00d]
 *   1st     | fcbb:bbbb | 0200 | 0700 | 0600 | 0500 | 0400 |  0  |  l3 would fit, but f00d behind it would not
 *   2nd     | fcbb:bbbb | 0300 | f00d |   0  |   0  |   0  |  0  |
 * </pre>
 *
 * <p>The unit is the {@link Atom}, not the uSID. A local uSID is looked up together with the node's uSID before it; at
 * the beginning of a container, the node would shift it into a place where no node has an entry for it and the packet
 * would be lost. So an atom never splits, and a local uSID never comes first, because no atom begins with one.
 *
 * <p>Next-fit: an atom goes into the open container if that has the same block and format, has room, and is not closed;
 * else it opens a new one. For a fixed order this is optimal: by induction the first k atoms never need fewer
 * containers, and the last of them is never fuller than it must be (RFC 9800, 6.2 requires nothing else). Slots left
 * over are zero; a node that finds only zeros behind its uSID goes on with the next segment (4.1.1). Arguments take
 * their room behind the uSID that they belong to, and end the container (RFC 9433, 6.1): in F3216 three uSIDs fit
 * before 40 bits.
 *
 * <p>Containers of different blocks or formats may follow each other in one list, but never share a container: a node
 * shifts by the lengths of its own format.
 */
public final class Packing {
    private Packing() {}

    /** Packs atoms, in travel order, into the fewest containers; the empty path has none. */
    public static List<Container> pack(List<Atom> path) {
        List<Container> containers = new ArrayList<>(path.size());
        int start = 0;
        while (start < path.size()) {
            int end = endOfContainer(path, start);
            List<Atom> atoms = path.subList(start, end);
            containers.add(new Container(sid(atoms), atoms));
            start = end;
        }
        return List.copyOf(containers);
    }

    /** The index behind the last atom that can share a container with the one at {@code start}. */
    private static int endOfContainer(List<Atom> path, int start) {
        ContainerFill fill = ContainerFill.EMPTY.with(path.get(start));
        int end = start + 1;
        while (end < path.size()) {
            fill = fill.with(path.get(end));
            if (fill.containers() > 1) {
                return end;
            }
            end++;
        }
        return end;
    }

    private static Ipv6 sid(List<Atom> atoms) {
        if (atoms.get(0) instanceof Atom.Full full) {
            return full.sid();
        }
        Atom.Compressed first = (Atom.Compressed) atoms.get(0);
        int length = first.format().usidLength();
        int from = first.format().blockLength();
        Ipv6 sid = (Ipv6) first.block().address();
        for (Atom atom : atoms) {
            for (long usid : ((Atom.Compressed) atom).usids()) {
                sid = sid.or(new Ipv6(usid << 64 - length, 0).shiftRight(from));
                from += length;
            }
        }
        return sid;
    }
}
