// SPDX-License-Identifier: Apache-2.0
package org.sextant.kit.path;

import java.util.Objects;
import org.sextant.core.filter.RuleSet;
import org.sextant.core.table.Behavior;
import org.sextant.core.table.MySid;
import org.sextant.core.table.Sera;
import org.sextant.core.table.SeraStateful;

/**
 * The exports of a firewall to policies whose paths contain its SID.
 *
 * @param id of its intent
 * @param node its node
 * @param sid its entry, whose number of rules is that of {@code rules}
 * @param rules as nodes have them: a firewall in counting mode passes the packets that its rules would drop
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

    /** The behavior at its SID. */
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
