// SPDX-License-Identifier: Apache-2.0
package org.sextant.kit.path;

import java.util.Objects;
import org.sextant.core.filter.RuleSet;
import org.sextant.core.table.Behavior;
import org.sextant.core.table.MySid;
import org.sextant.core.table.Sera;
import org.sextant.core.table.SeraStateful;

/**
 * What a firewall offers to those whose paths lead through it.
 *
 * @param id of its intent
 * @param node where it is
 * @param sid its entry, whose number of rules is that of {@code rules}
 * @param rules as nodes have them: where a firewall only counts what it would drop, they let it through
 */
public record FirewallHandle(String id, String node, MySid sid, RuleSet rules) {

    /** The kind of intents that are firewalls. */
    public static final String KIND = "firewall";

    public FirewallHandle {
        Objects.requireNonNull(id);
        Objects.requireNonNull(node);
        if (sera(sid.behavior()).firewall() != rules.number()) {
            throw new IllegalArgumentException(sid.sid() + " leads to other rules than these");
        }
    }

    /** What it does at its SID. */
    public Sera sera() {
        return sera(sid.behavior());
    }

    private static Sera sera(Behavior behavior) {
        if (behavior instanceof SeraStateful stateful) {
            return stateful.firewall();
        }
        if (behavior instanceof Sera sera) {
            return sera;
        }
        throw new IllegalArgumentException(behavior.text() + " is no firewall");
    }
}
