// SPDX-License-Identifier: Apache-2.0
package org.sextant.sera;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * A firewall with its past: every other one under the same name is the next version. Versions only count up, as nodes tell
 * the rules of one from those of another by it.
 *
 * @param at when this version was accepted, ISO 8601; empty if nobody said
 * @param earlier the latest of those before it, oldest first
 */
public record Versioned(Firewall firewall, int version, String at, List<Earlier> earlier) {
    /** How many it can be taken back to. */
    public static final int KEPT = 8;

    /** What is kept of all versions together, so that the past of a large firewall has bounds. */
    static final int KEPT_RULES = 16_384;

    /** Nodes have 24 bits for it. */
    static final int LAST = 0xff_ffff;

    public Versioned {
        earlier = List.copyOf(earlier);
        if (version < 1 || version > LAST) {
            throw new IllegalArgumentException("version " + version + " is not within 1 to " + LAST);
        }
    }

    /** A version that another one followed. */
    public record Earlier(int version, String at, Firewall firewall) {}

    /** One that was never there. */
    public static Versioned first(Firewall firewall, String at) {
        return new Versioned(firewall, 1, at, List.of());
    }

    /** What this is where {@code before} is now: the next version, or that one if nothing is another. */
    public Versioned following(Versioned before) {
        if (before.firewall.equals(firewall)) {
            return before;
        }
        List<Earlier> kept = new ArrayList<>(before.earlier);
        kept.add(new Earlier(before.version, before.at, before.firewall));
        while (kept.size() > KEPT || kept.size() > 1 && rules(kept) > KEPT_RULES) {
            kept.remove(0);
        }
        return new Versioned(firewall, before.version + 1, at, kept);
    }

    private static int rules(List<Earlier> kept) {
        return kept.stream().mapToInt(one -> one.firewall().rules().size()).sum();
    }

    /** One of its versions, if it is kept. */
    public Optional<Firewall> version(int number) {
        return number == version
                ? Optional.of(firewall)
                : earlier.stream()
                        .filter(one -> one.version() == number)
                        .map(Earlier::firewall)
                        .findFirst();
    }
}
