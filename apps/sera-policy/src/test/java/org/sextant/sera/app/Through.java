// SPDX-License-Identifier: Apache-2.0
package org.sextant.sera.app;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.sextant.core.intent.CompileContext;
import org.sextant.core.intent.Dependence;
import org.sextant.core.intent.Explained;
import org.sextant.core.intent.IntentKind;
import org.sextant.core.intent.IntentRef;
import org.sextant.core.intent.NumberedIntent;
import org.sextant.core.intent.Plan;
import org.sextant.core.intent.Plan.Placed;
import org.sextant.core.ip.IpPrefix;
import org.sextant.core.ip.Ipv6;
import org.sextant.core.table.SidList;
import org.sextant.core.table.Steering;
import org.sextant.kit.path.FirewallHandle;

/**
 * A stand-in for policies: an intent is the id of the firewall on its path, from l1 by p6 to hosts at l3, over two
 * paths of which the second bypasses the firewall.
 */
final class Through implements IntentKind<String> {
    @Override
    public String name() {
        return "policy";
    }

    @Override
    public ObjectNode encode(String firewall) {
        return JsonNodeFactory.instance.objectNode().put("firewall", firewall);
    }

    @Override
    public String decode(JsonNode json) {
        return json.get("firewall").asText();
    }

    @Override
    public String identity(String firewall) {
        return firewall;
    }

    @Override
    public Optional<String> suggestedId(String firewall) {
        return Optional.of("through-" + firewall);
    }

    @Override
    public Set<IntentRef> refersTo(String firewall) {
        return Set.of(new IntentRef("firewall", firewall));
    }

    @Override
    public Plan compile(NumberedIntent<String> intent, CompileContext context) {
        FirewallHandle handle =
                context.offered(new IntentRef(FirewallHandle.KIND, intent.intent()), FirewallHandle.class, "/firewall");
        String sid = handle.sid().sid().address().toString();
        List<SidList.Member> paths = List.of(
                new SidList.Member(2, List.of(Ipv6.parse(sid.replace("::", ":600:300:f00d:0")))),
                new SidList.Member(1, List.of(Ipv6.parse("fcbb:bbbb:300:f00d::"))));
        return new Plan(
                List.of(
                        new Placed("l1", new SidList(7, paths)),
                        new Placed("l1", new Steering(0, IpPrefix.parse("fd00:0:31::/64"), 7, true))),
                Explained.of(encode(intent.intent())),
                List.of(),
                List.of(),
                Dependence.NOTHING);
    }
}
