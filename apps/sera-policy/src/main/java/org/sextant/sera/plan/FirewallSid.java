// SPDX-License-Identifier: Apache-2.0
package org.sextant.sera.plan;

import org.sextant.core.intent.Pool;
import org.sextant.core.table.MySid;
import org.sextant.core.table.Sera;
import org.sextant.core.table.SeraStateful;
import org.sextant.core.underlay.SidPlan;

/** Which firewall of its node one is, and the number under which its rules stand. */
final class FirewallSid {
    static final Pool INSTANCES = new Pool("firewall.instances", 0, SidPlan.maxFirewalls() - 1);

    private FirewallSid() {}

    /** Rule sets of a firewall by version: never the same number for other rules. */
    static int number(int instance, int version) {
        return instance << 24 | version;
    }

    static int version(int number) {
        return number & 0xff_ffff;
    }

    /** @param flows that it remembers; 0: it remembers none */
    static MySid entry(SidPlan plan, int instance, int version, int flows) {
        Sera sera = plan.sera(instance, number(instance, version));
        return new MySid(plan.firewallSid(instance), flows == 0 ? sera : new SeraStateful(sera, flows));
    }
}
