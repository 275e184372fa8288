// SPDX-License-Identifier: Apache-2.0
package org.sextant.core.provision;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.DisplayNameGeneration;
import org.junit.jupiter.api.DisplayNameGenerator;
import org.junit.jupiter.api.Test;
import org.sextant.core.intent.CompileContext;
import org.sextant.core.intent.NumberedIntent;
import org.sextant.core.ip.IpAddress;
import org.sextant.core.ip.Ipv6;
import org.sextant.core.sid.Fib;
import org.sextant.core.sid.Payload;
import org.sextant.core.sid.Trace;
import org.sextant.core.sid.Walk;
import org.sextant.core.table.Entry;
import org.sextant.core.table.MySid;
import org.sextant.core.table.Route;
import org.sextant.core.underlay.Underlay;

@DisplayNameGeneration(DisplayNameGenerator.ReplaceUnderscores.class)
class ProvisionedFibTest {
    private final Fib fib = new Underlay(Fig4.CONNECTED).fib();

    /** uSID paper, Figure 4: the containers of l1,l2,p7,p6,v5,v4,l3 with the f00d marker. */
    @Test
    void the_papers_program_arrives_at_h31() {
        Trace trace = Walk.encapsulate(
                fib,
                "l1",
                true,
                List.of(Ipv6.parse("fcbb:bbbb:200:700:600:500:400::"), Ipv6.parse("fcbb:bbbb:300:f00d::")),
                Payload.to(Ipv6.parse("fd00:0:31::2")));
        assertThat(trace.arrives()).isTrue();
        assertThat(trace.hops()).extracting(Trace.Hop::node).containsExactly("l1", "l2", "p7", "p6", "v5", "v4", "l3");
        assertThat(trace.arrival().orElseThrow().delivery().orElseThrow().neighbor())
                .isEqualTo("h31");
    }

    @Test
    void the_numbering_needs_one_container() {
        Trace trace = Walk.encapsulate(
                fib,
                "l1",
                true,
                List.of(Ipv6.parse("fcbb:bbbb:200:700:600:500:400:301")),
                Payload.to(Ipv6.parse("fd00:0:31::2")));
        assertThat(trace.arrives()).isTrue();
    }

    @Test
    void it_answers_as_the_provisioned_entries_do() {
        Provisioning provisioning = new Provisioning();
        provisioning.derive(new Underlay(Fig4.CONNECTED)).forEach((node, value) -> {
            List<Entry> entries = provisioning
                    .compile(new NumberedIntent<>(node, 0, value), new CompileContext(Fig4.CONNECTED, Map.of()))
                    .entries()
                    .stream()
                    .map(placed -> placed.entry())
                    .toList();
            of(entries, MySid.class)
                    .forEach(sid -> assertThat(fib.mySid(node, (Ipv6) sid.sid().address()))
                            .as("%s at %s", sid.sid(), node)
                            .hasValueSatisfying(found -> assertThat(found.sid().length())
                                    .isGreaterThanOrEqualTo(sid.sid().length())));
            of(entries, Route.class)
                    .forEach(route -> assertThat(
                                    fib.route(node, 0, route.destination().address()))
                            .as("%s at %s", route.destination(), node)
                            .containsExactlyInAnyOrderElementsOf(route.members().stream()
                                    .map(member -> fib.adjacency(node, member.nextHop())
                                            .orElseThrow())
                                    .toList()));
        });
    }

    @Test
    void the_longest_sid_wins() {
        assertThat(fib.mySid("l1", Ipv6.parse("fcbb:bbbb:100:f00d::"))
                        .orElseThrow()
                        .sid())
                .hasToString("fcbb:bbbb:100:f00d::/64");
        assertThat(fib.mySid("l1", Ipv6.parse("fcbb:bbbb:100:200::"))
                        .orElseThrow()
                        .sid())
                .hasToString("fcbb:bbbb:100::/48");
        assertThat(fib.mySid("l1", Ipv6.parse("fcbb:bbbb:200::"))).isEmpty();
    }

    @Test
    void what_is_unknown_has_no_answer() {
        assertThat(fib.route("l1", 0, IpAddress.parse("2001:db8::1"))).isEmpty();
        assertThat(fib.route("l1", 7, IpAddress.parse("fcbb:bbbb:200::"))).isEmpty();
        assertThat(fib.route("nobody", 0, IpAddress.parse("fcbb:bbbb:200::"))).isEmpty();
        assertThat(fib.adjacency("l1", 99)).isEmpty();
        assertThat(fib.segmentLists("l1", 1)).isEmpty();
    }

    private static <E extends Entry> Stream<E> of(List<Entry> entries, Class<E> type) {
        return entries.stream().filter(type::isInstance).map(type::cast);
    }
}
