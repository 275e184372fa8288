// SPDX-License-Identifier: Apache-2.0
package org.sextant.sera.plan;

import org.sextant.core.intent.Pool;
import org.sextant.core.table.MySid;
import org.sextant.core.table.Sera;
import org.sextant.core.table.SeraStateful;
import org.sextant.core.underlay.SidPlan;

/** The number of a firewall on its node, and the numbers of its rule sets. */
final class FirewallSid {
    static final Pool INSTANCES = new Pool("firewall.instances", 0, SidPlan.maxFirewalls() - 1);

    private FirewallSid() {}

    /** The number of a rule set by version: never reused for other rules. */
    static int number(int instance, int version) {
        return instance << 24 | version;
    }

    static int version(int number) {
        return number & 0xff_ffff;
    }

    /** @param flows the size of the flow table; 0: none */
    static MySid entry(SidPlan plan, int instance, int version, int flows) {
        Sera sera = plan.sera(instance, number(instance, version));
        return new MySid(plan.firewallSid(instance), flows == 0 ? sera : new SeraStateful(sera, flows));
    }
}
