// SPDX-License-Identifier: Apache-2.0
package org.sextant.sera.plan;

import org.sextant.core.filter.RuleSet;
import org.sextant.core.ip.IpPrefix;
import org.sextant.core.underlay.SidPlan;

/** The planned state of a firewall on its node. */
public record PlannedFirewall(String node, int instance, SidPlan sids, RuleSet rules) {

    public IpPrefix sid() {
        return sids.firewallSid(instance);
    }
}
