// SPDX-License-Identifier: Apache-2.0
package org.sextant.core.sid;

import org.jspecify.annotations.Nullable;
import org.sextant.core.ip.IpPrefix;

/**
 * The fill of a path's containers: the state of {@link Packing}, without the SIDs. Path search counts segments by it,
 * so that it cannot count otherwise than the path is packed.
 *
 * @param containers opened so far, the one being filled among them
 * @param block of the one being filled; null where none is open: the next atom opens one
 * @param format likewise
 * @param free bits left in it; 0 where none is open
 */
public record ContainerFill(
        int containers, @Nullable IpPrefix block, @Nullable SidFormat format, int free) {

    /** The fill of the empty path. */
    public static final ContainerFill EMPTY = new ContainerFill(0, null, null, 0);

    /** The fill with an atom behind it. */
    ContainerFill with(Atom atom) {
        return atom instanceof Atom.Compressed compressed
                ? filled(compressed.block(), compressed.format(), compressed.bits(), compressed.closes())
                : full(containers + 1);
    }

    /** The fill with an atom of the given number of uSIDs behind it, which takes no arguments. */
    public ContainerFill with(IpPrefix itsBlock, SidFormat itsFormat, int usids, boolean closes) {
        return filled(itsBlock, itsFormat, usids * itsFormat.usidLength(), closes);
    }

    private ContainerFill filled(IpPrefix itsBlock, SidFormat itsFormat, int bits, boolean closes) {
        boolean joins = bits <= free && itsFormat.equals(format) && itsBlock.equals(block);
        int opened = joins ? containers : containers + 1;
        int left = (joins ? free : 128 - itsFormat.blockLength()) - bits;
        return closes || left < itsFormat.usidLength()
                ? full(opened)
                : new ContainerFill(opened, itsBlock, itsFormat, left);
    }

    private static ContainerFill full(int containers) {
        return new ContainerFill(containers, null, null, 0);
    }

    /**
     * True if no path needs more containers from here than from {@code other}, whatever atoms follow: with one
     * container less, the next atom may open one, which then is at least as empty as the other's.
     */
    public boolean isNoWorseThan(ContainerFill other) {
        if (containers != other.containers) {
            return containers < other.containers;
        }
        boolean same = format != null && format.equals(other.format) && block != null && block.equals(other.block);
        return other.free == 0 || same && free >= other.free;
    }
}
