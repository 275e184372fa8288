// SPDX-License-Identifier: Apache-2.0
package org.sextant.core.provision;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import org.junit.jupiter.api.DisplayNameGeneration;
import org.junit.jupiter.api.DisplayNameGenerator;
import org.junit.jupiter.api.Test;
import org.sextant.core.intent.CompileContext;
import org.sextant.core.intent.NumberedIntent;
import org.sextant.core.net.Network;
import org.sextant.core.net.Protection;
import org.sextant.core.port.Capabilities;
import org.sextant.core.protect.Nets;
import org.sextant.core.table.Entry;
import org.sextant.core.table.MySid;
import org.sextant.core.table.Route;
import org.sextant.core.table.SidList;
import org.sextant.core.table.Standby;
import org.sextant.core.underlay.Underlay;

/** The rows of repairs: a square a-b-c-d, where the backup path is over the other corner. */
@DisplayNameGeneration(DisplayNameGenerator.ReplaceUnderscores.class)
class RepairsProvisionedTest {
    private static Nets square() {
        return new Nets().road("a", "b", 1).road("b", "c", 1).road("c", "d", 1).road("d", "a", 1);
    }

    @Test
    void a_standby_goes_to_a_list_that_ends_at_the_destination() {
        Network network = square().with(new Protection(true, false, false)).network();
        List<Entry> entries = entries(network, Map.of(), "a");
        Map<Integer, List<String>> lists = entries.stream()
                .filter(SidList.class::isInstance)
                .map(SidList.class::cast)
                .collect(Collectors.toMap(
                        SidList::id,
                        list -> list.members().get(0).segments().stream()
                                .map(Object::toString)
                                .toList()));
        // b is 0x110, c 0x120, d 0x130, and in repairs 0xdef0, 0xdee0, 0xded0. To b around a-b: over d to c, from where
        // b is nearer than back over a. To c
        // both are as near.
        assertThat(entries.stream()
                        .filter(Standby.class::isInstance)
                        .map(Standby.class::cast)
                        .filter(standby -> standby.destination().length() == 44)
                        .map(standby -> standby.destination() + " " + lists.get(standby.sidList())))
                .containsExactlyInAnyOrder(
                        "fcbb:bbbb:110::/44 [fcbb:bbbb:dee0:def0:f00d::]",
                        "fcbb:bbbb:130::/44 [fcbb:bbbb:dee0:ded0:f00d::]");
        assertThat(lists.keySet()).allMatch(id -> Integer.toUnsignedLong(id) >= 0xf000_0000L);
    }

    @Test
    void nothing_is_written_unless_it_is_asked_for_and_offered() {
        assertThat(tables(square().with(Protection.NONE).network(), Map.of())).doesNotContain("standby_v6", "sid_list");
        Network network = square().network();
        assertThat(tables(network, Map.of())).contains("standby_v6", "sid_list");
        Capabilities without = new Capabilities(
                Map.of(
                        "route_v6",
                        Set.of("set_next_hop"),
                        "next_hop",
                        Set.of("forward"),
                        "sid_list",
                        Set.of("segments_1")),
                Map.of());
        assertThat(tables(network, Map.of("a", without))).doesNotContain("standby_v6", "sid_list");
    }

    @Test
    void a_list_keeps_its_id_when_others_come_and_go() {
        Set<Entry> before = lists(square().network());
        Set<Entry> after = lists(square().road("a", "e", 1).road("e", "c", 5).network());
        assertThat(before).isNotEmpty();
        assertThat(after).hasSizeGreaterThan(before.size());
        Map<Object, Entry> byKey = after.stream().collect(Collectors.toMap(Entry::key, entry -> entry));
        before.forEach(
                entry -> assertThat(byKey.getOrDefault(entry.key(), entry)).isEqualTo(entry));
    }

    @Test
    void every_node_has_sids_for_repairs_whose_routes_have_no_standby() {
        Network network = square().with(new Protection(true, false, false)).network();
        Provisioning provisioning = new Provisioning();
        List<String> provisioned = provisioning
                .compile(
                        new NumberedIntent<>(
                                "a",
                                0,
                                provisioning.derive(new Underlay(network)).get("a")),
                        new CompileContext(network, Map.of()))
                .entries()
                .stream()
                .map(placed -> placed.entry())
                .filter(entry -> entry instanceof Route || entry instanceof MySid)
                .map(entry -> entry.key() + " " + entry.actionText())
                .toList();
        for (String locator : List.of("fcbb:bbbb:def0::/48", "fcbb:bbbb:dee0::/48", "fcbb:bbbb:ded0::/48")) {
            assertThat(provisioned).anyMatch(entry -> entry.contains("route_v6") && entry.contains(locator));
        }
        assertThat(provisioned)
                .anyMatch(entry -> entry.contains("fcbb:bbbb:df00::/48") && entry.contains("un 32 16"))
                .anyMatch(entry -> entry.contains("fcbb:bbbb:df00:f00d::/64") && entry.contains("udt6"))
                .anyMatch(entry -> entry.contains("fcbb:bbbb:df00:e001::/64") && entry.contains("ua 32 32 next_hop 1"))
                .anyMatch(entry -> entry.contains("fcbb:bbbb:df00:e002::/64") && entry.contains("ua 32 32 next_hop 2"));
        assertThat(entries(network, Map.of(), "a").stream()
                        .filter(Standby.class::isInstance)
                        .map(entry -> ((Standby) entry).destination().toString()))
                .noneMatch(prefix -> prefix.startsWith("fcbb:bbbb:de"));
    }

    private static Set<Entry> lists(Network network) {
        return entries(network, Map.of(), "a").stream()
                .filter(SidList.class::isInstance)
                .collect(Collectors.toSet());
    }

    private static Set<String> tables(Network network, Map<String, Capabilities> capabilities) {
        return entries(network, capabilities, "a").stream()
                .map(entry -> entry.key().table())
                .collect(Collectors.toSet());
    }

    private static List<Entry> entries(Network network, Map<String, Capabilities> capabilities, String node) {
        ProtectionKind protecting = new ProtectionKind();
        NodeRepairs repairs = protecting.derive(new Underlay(network)).get(node);
        return repairs == null
                ? List.of()
                : protecting
                        .compile(new NumberedIntent<>(node, 0, repairs), new CompileContext(network, capabilities))
                        .entries()
                        .stream()
                        .map(placed -> placed.entry())
                        .toList();
    }
}
