// SPDX-License-Identifier: Apache-2.0
package org.sextant.sera;

import java.util.Optional;
import org.sextant.core.ip.IpPrefix;

/**
 * The sources or destinations that a rule matches: a prefix or a group, or all other addresses.
 *
 * @param prefix empty: a group
 * @param group empty: a prefix
 */
public record Peer(boolean negated, Optional<IpPrefix> prefix, Optional<String> group) {
    static final String GROUP = "group:";

    /** The pattern of names. */
    static final String NAME = "[A-Za-z0-9][A-Za-z0-9._-]{0,62}";

    public Peer {
        if (prefix.isPresent() == group.isPresent()) {
            throw new IllegalArgumentException("a prefix or a group");
        }
    }

    public static Peer of(IpPrefix prefix) {
        return new Peer(false, Optional.of(prefix), Optional.empty());
    }

    public Peer not() {
        return new Peer(!negated, prefix, group);
    }

    /** @throws IllegalArgumentException with the problem */
    static Peer parse(String text) {
        boolean negated = text.startsWith("!");
        String rest = (negated ? text.substring(1) : text).strip();
        if (!rest.startsWith(GROUP)) {
            return new Peer(negated, Optional.of(IpPrefix.parse(rest)), Optional.empty());
        }
        String group = rest.substring(GROUP.length());
        checkName("group", group);
        return new Peer(negated, Optional.empty(), Optional.of(group));
    }

    static void checkName(String what, String name) {
        if (!name.matches(NAME)) {
            String shown = name.length() > 70 ? name.substring(0, 70) + "…" : name;
            throw new IllegalArgumentException("\"" + shown + "\" is no name of a " + what);
        }
    }

    /** The form that {@link #parse} reads. */
    @Override
    public String toString() {
        return (negated ? "!" : "") + prefix.map(IpPrefix::toString).orElseGet(() -> GROUP + group.orElseThrow());
    }
}
