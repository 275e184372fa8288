// SPDX-License-Identifier: Apache-2.0
package org.sextant.sera;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * A firewall with its history: each different one with the same name is the next version. Versions only count up, as
 * nodes distinguish rule sets by them.
 *
 * @param at the time when this version was accepted, ISO 8601; empty if unknown
 * @param earlier the latest versions before it, oldest first
 */
public record Versioned(Firewall firewall, int version, String at, List<Earlier> earlier) {
    /** The number of earlier versions for rollback. */
    public static final int KEPT = 8;

    /** The maximum number of rules in all earlier versions together, which bounds the history of a large firewall. */
    static final int KEPT_RULES = 16_384;

    /** Nodes have 24 bits for a version. */
    static final int LAST = 0xff_ffff;

    public Versioned {
        earlier = List.copyOf(earlier);
        if (version < 1 || version > LAST) {
            throw new IllegalArgumentException("version " + version + " is not within 1 to " + LAST);
        }
    }

    /** A version that another one replaced. */
    public record Earlier(int version, String at, Firewall firewall) {}

    /** The first version of a firewall. */
    public static Versioned first(Firewall firewall, String at) {
        return new Versioned(firewall, 1, at, List.of());
    }

    /**
     * The version after {@code before}: the next one, or {@code before} itself if the firewall is the same. Metadata alone
     * make no version, as the nodes would replace equal rules.
     */
    public Versioned following(Versioned before) {
        if (before.firewall.equals(firewall)) {
            return before;
        }
        if (before.firewall.with(firewall.metadata()).equals(firewall)) {
            return new Versioned(firewall, before.version, before.at, before.earlier);
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

    /** A version of the firewall, if it is stored. */
    public Optional<Firewall> version(int number) {
        return number == version
                ? Optional.of(firewall)
                : earlier.stream()
                        .filter(one -> one.version() == number)
                        .map(Earlier::firewall)
                        .findFirst();
    }
}
