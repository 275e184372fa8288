// SPDX-License-Identifier: Apache-2.0
package org.sextant.core.sid;

import java.util.Optional;
import org.sextant.core.filter.Verdict;
import org.sextant.core.ip.Ipv6;
import org.sextant.core.table.Sera;

/**
 * The program of a packet at a SID of a firewall: the part of the container behind the active SID, then the segments of
 * the list that are left, the last of which is {@code list[0]}. It consists of atoms: a global uSID and the local ones
 * behind it, or a segment of another block. Verdicts move by atoms, so that no function loses its node.
 *
 * <pre>
 *   DA       | block | l2 f230 | 600 | 300 f00d |     go_next 600, skip_next 300 f00d
 *   list[0]  | block | 400 | 700 | 800 f00d |         go_last 800 f00d
 * </pre>
 */
public final class Program {
    private final Sera sera;
    private final Header header;

    private Program(Sera sera, Header header) {
        this.sera = sera;
        this.header = header;
    }

    /**
     * The header as it leaves, a hop further. {@code verdict} is one that moves: not DROP, and not EVAL_ARGS, which is one of
     * the others.
     *
     * @return empty if the program has no further atom: the packet is dropped
     * @throws IllegalArgumentException if segments left points behind the list
     */
    public static Optional<Header> after(Verdict verdict, Sera sera, Header header) {
        if (header.segmentsLeft() > header.srh().map(Header.Srh::lastEntry).orElse(-1) + 1) {
            throw new IllegalArgumentException("segments left " + header.segmentsLeft() + " points behind the list");
        }
        Program program = new Program(sera, header);
        Ipv6 rest = program.rest();
        return switch (verdict) {
            case GO_NEXT -> program.next(header.destination(), rest, header.segmentsLeft());
            case SKIP_NEXT -> program.skip(rest);
            case GO_LAST -> program.last(rest);
            default -> throw new IllegalArgumentException(verdict + " does not say where to");
        };
    }

    /** The arguments of the SID that the packet is at. */
    public static long arguments(Sera sera, Ipv6 destination) {
        int end = sera.usidLength() == 0 ? 128 : sera.blockLength() + sera.csidLength();
        return sera.argsLength() == 0 ? 0 : destination.bits(end - sera.argsLength(), sera.argsLength());
    }

    /** The part of the container behind the active SID, left-aligned; classic SIDs have no container. */
    private Ipv6 rest() {
        return sera.usidLength() == 0
                ? Ipv6.ZERO
                : header.destination().shiftLeft(sera.blockLength() + sera.csidLength());
    }

    private Optional<Header> next(Ipv6 container, Ipv6 rest, int left) {
        if (!rest.isZero()) {
            return Optional.of(moved(joined(container, rest), left));
        }
        return left == 0 ? Optional.empty() : Optional.of(moved(segment(left - 1), left - 1));
    }

    private Optional<Header> skip(Ipv6 rest) {
        if (!rest.isZero()) {
            return next(header.destination(), withoutFirstAtom(rest), header.segmentsLeft());
        }
        if (header.segmentsLeft() == 0) {
            return Optional.empty();
        }
        int left = header.segmentsLeft() - 1;
        Ipv6 container = segment(left);
        Ipv6 behind = sameBlock(container) ? withoutFirstAtom(container.shiftLeft(sera.blockLength())) : Ipv6.ZERO;
        return next(container, behind, left);
    }

    private Optional<Header> last(Ipv6 rest) {
        if (header.segmentsLeft() == 0) {
            return rest.isZero()
                    ? Optional.empty()
                    : Optional.of(moved(joined(header.destination(), lastAtom(rest)), 0));
        }
        Ipv6 container = segment(0);
        if (!sameBlock(container)) {
            return Optional.of(moved(container, 0));
        }
        Ipv6 uSids = container.shiftLeft(sera.blockLength());
        return uSids.isZero() ? Optional.empty() : Optional.of(moved(joined(container, lastAtom(uSids)), 0));
    }

    private Header moved(Ipv6 destination, int left) {
        Optional<Header.Srh> srh = header.srh().map(old -> new Header.Srh(old.segments(), left));
        return new Header(destination, srh, header.hopLimit() - 1, header.inner());
    }

    private Ipv6 segment(int index) {
        return header.srh().orElseThrow().segments().get(index);
    }

    private boolean sameBlock(Ipv6 segment) {
        int block = sera.blockLength();
        return sera.usidLength() != 0
                && segment.truncate(block).equals(header.destination().truncate(block));
    }

    private Ipv6 joined(Ipv6 container, Ipv6 uSids) {
        return container.truncate(sera.blockLength()).or(uSids.shiftRight(sera.blockLength()));
    }

    /** Whatever comes first begins an atom; the local uSIDs behind it belong to it. */
    private Ipv6 withoutFirstAtom(Ipv6 uSids) {
        int at = sera.usidLength();
        while (at + sera.usidLength() <= width() && usid(uSids, at) >= sera.localStart()) {
            at += sera.usidLength();
        }
        return uSids.shiftLeft(at);
    }

    /** The rest from the last global uSID on; if all are local they are one atom. */
    private Ipv6 lastAtom(Ipv6 uSids) {
        int last = 0;
        for (int at = 0; at + sera.usidLength() <= width(); at += sera.usidLength()) {
            if (usid(uSids, at) != 0 && usid(uSids, at) < sera.localStart()) {
                last = at;
            }
        }
        return uSids.shiftLeft(last);
    }

    private int width() {
        return 128 - sera.blockLength();
    }

    private long usid(Ipv6 uSids, int at) {
        return uSids.bits(at, sera.usidLength());
    }
}
