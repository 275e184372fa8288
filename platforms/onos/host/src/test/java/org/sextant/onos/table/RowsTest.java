// SPDX-License-Identifier: Apache-2.0
package org.sextant.onos.table;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import org.junit.jupiter.api.DisplayNameGeneration;
import org.junit.jupiter.api.DisplayNameGenerator.ReplaceUnderscores;
import org.junit.jupiter.api.Test;
import org.onosproject.core.DefaultApplicationId;
import org.onosproject.net.DeviceId;
import org.onosproject.net.flow.FlowRule;
import org.onosproject.net.pi.runtime.PiAction;
import org.onosproject.net.pi.runtime.PiActionSet;
import org.onosproject.net.pi.runtime.PiTableEntry;
import org.sextant.core.filter.Box;
import org.sextant.core.filter.KeyField;
import org.sextant.core.filter.Verdict;
import org.sextant.core.ip.IpPrefix;
import org.sextant.core.table.Behavior;
import org.sextant.core.table.FirewallRule;
import org.sextant.core.table.MalformedEntryException;
import org.sextant.core.table.MySid;
import org.sextant.core.table.Route;
import org.sextant.core.table.TableCodec;
import org.sextant.core.table.TableEntry;
import org.sextant.onos.driver.TestPipeconfs;

@DisplayNameGeneration(ReplaceUnderscores.class)
class RowsTest {
    private static final DeviceId DEVICE = DeviceId.deviceId("device:n1");
    private static final PipelineNames LINUX =
            new PipelineNames(TestPipeconfs.byName("org.sextant.linux").orElseThrow());
    private static final FlowRules RULES = new FlowRules(LINUX, new DefaultApplicationId(1, "test"));

    private static TableEntry route(Route.Member... members) {
        return TableCodec.encode(new Route(0, IpPrefix.parse("fd00::/16"), List.of(members)));
    }

    @Test
    void the_order_of_a_sets_members_makes_no_other_rule() {
        FlowRule one = RULES.encode(DEVICE, route(new Route.Member(1, 7), new Route.Member(3, 2)));
        FlowRule other = RULES.encode(DEVICE, route(new Route.Member(3, 2), new Route.Member(1, 7)));
        assertThat(one.treatment()).isEqualTo(other.treatment());
        assertThat(one.exactMatch(other)).isTrue();
        assertThat(one.exactMatch(RULES.encode(DEVICE, route(new Route.Member(1, 7), new Route.Member(2, 2)))))
                .isFalse();
    }

    @Test
    void a_set_goes_to_the_node_as_one_shot_set() {
        PiTableEntry entry = new PiEntries(LINUX).encode(route(new Route.Member(1, 7), new Route.Member(3, 2)));
        assertThat(((PiActionSet) entry.action()).actions())
                .extracting(PiActionSet.WeightedAction::weight)
                .containsExactlyInAnyOrder(1, 3);
        assertThat(PiEntries.decode(entry).map(TableCodec::decode))
                .hasValueSatisfying(route -> assertThat(((Route) route).members())
                        .containsExactlyInAnyOrder(new Route.Member(1, 7), new Route.Member(3, 2)));
    }

    @Test
    void ranges_come_back_as_they_go_out() {
        FirewallRule rule = new FirewallRule(7, 100, Box.within(KeyField.DST_PORT, 53, 60), Verdict.GO_LAST, true);
        PiTableEntry entry = new PiEntries(LINUX).encode(TableCodec.encode(rule));
        assertThat(PiEntries.decode(entry).map(TableCodec::decode)).contains(rule);
    }

    @Test
    void numbers_are_as_wide_as_their_fields() {
        PiTableEntry entry = new PiEntries(LINUX)
                .encode(TableCodec.encode(
                        new MySid(IpPrefix.parse("::100:0/112"), new Behavior.Udt(Behavior.Family.IPV6, 0))));
        PiAction action = (PiAction) entry.action();
        assertThat(action.id().id()).isEqualTo("ingress.my_sid.udt6");
        assertThat(action.parameters())
                .singleElement()
                .satisfies(vrf -> assertThat(vrf.value().size()).isEqualTo(2));
        assertThat(entry.matchKey().fieldMatches())
                .singleElement()
                .satisfies(sid -> assertThat(sid.toString()).containsIgnoringCase("1000000"));
    }

    @Test
    void what_the_pipeline_lacks_is_named() {
        TableEntry row =
                TableCodec.encode(new MySid(IpPrefix.parse("fcbb::/48"), new Behavior.Udt(Behavior.Family.BOTH, 0)));
        assertThatThrownBy(() -> RULES.encode(DEVICE, row))
                .isInstanceOf(MalformedEntryException.class)
                .hasMessageContaining("udt46")
                .hasMessageContaining("device:n1");
    }
}
