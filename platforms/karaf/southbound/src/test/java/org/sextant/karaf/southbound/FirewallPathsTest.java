// SPDX-License-Identifier: Apache-2.0
package org.sextant.karaf.southbound;

import static org.assertj.core.api.Assertions.assertThat;

import com.github.gnmi.proto.Notification;
import com.github.gnmi.proto.Path;
import com.github.gnmi.proto.PathElem;
import com.github.gnmi.proto.TypedValue;
import com.github.gnmi.proto.Update;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.DisplayNameGeneration;
import org.junit.jupiter.api.DisplayNameGenerator.ReplaceUnderscores;
import org.junit.jupiter.api.Test;
import org.sextant.core.ip.IpAddress;
import org.sextant.core.ip.Ipv6;
import org.sextant.core.port.DataPlane.Counters;
import org.sextant.core.port.FirewallTelemetry.Counted;
import org.sextant.core.port.FirewallTelemetry.Inside;
import org.sextant.core.port.FirewallTelemetry.Logged;
import org.sextant.core.port.FirewallTelemetry.Pair;
import org.sextant.core.port.FirewallTelemetry.Rule;

@DisplayNameGeneration(ReplaceUnderscores.class)
class FirewallPathsTest {
    private static final Pattern STEP = Pattern.compile("/([^/\\[\\]]+)(?:\\[([^=]+)=([^\\]]+)\\])?");
    private static final String EVENT = "/firewalls/firewall[instance=3]/log/event/";
    static final String RULES = "/firewalls/firewall[instance=3]/rules/rule[id=";

    private static Path path(String text) {
        Path.Builder path = Path.newBuilder();
        Matcher steps = STEP.matcher(text);
        while (steps.find()) {
            PathElem.Builder elem = PathElem.newBuilder().setName(steps.group(1));
            path.addElem(steps.group(2) == null ? elem : elem.putKey(steps.group(2), steps.group(3)));
        }
        return path.build();
    }

    static Notification notification(String... leaves) {
        Notification.Builder all = Notification.newBuilder();
        for (String leaf : leaves) {
            String[] parts = leaf.split(" ", 2);
            TypedValue.Builder value = TypedValue.newBuilder();
            all.addUpdate(Update.newBuilder()
                    .setPath(path(parts[0]))
                    .setVal(
                            parts[1].matches("[0-9]{1,18}|1[0-9]{18}")
                                    ? value.setUintVal(Long.parseLong(parts[1]))
                                    : value.setStringVal(parts[1])));
        }
        return all.build();
    }

    static Notification event(String... more) {
        List<String> leaves = new ArrayList<>(List.of(
                EVENT + "time 1700000000000000123",
                EVENT + "sid fcbb:bbbb:200:f230:600::",
                EVENT + "rule-set 50331649",
                EVENT + "rule 00000000000000ab",
                EVENT + "priority 65535",
                EVENT + "action fw_drop",
                EVENT + "source 2001:db8:1::1",
                EVENT + "destination 10.0.2.1",
                EVENT + "protocol 17",
                EVENT + "unlogged 4",
                EVENT + "lost 2"));
        leaves.addAll(List.of(more));
        return notification(leaves.toArray(String[]::new));
    }

    @Test
    void an_event_has_what_its_packet_has() {
        assertThat(FirewallPaths.event("l2", event(EVENT + "source-port 1000", EVENT + "destination-port 53")))
                .contains(new Logged(
                        "l2",
                        Instant.ofEpochSecond(1_700_000_000L, 123),
                        3,
                        50331649,
                        65535,
                        "fw_drop",
                        Optional.empty(),
                        Ipv6.parse("fcbb:bbbb:200:f230:600::"),
                        new Inside(
                                IpAddress.parse("2001:db8:1::1"),
                                IpAddress.parse("10.0.2.1"),
                                17,
                                Optional.of(new Pair(1000, 53)),
                                Optional.empty()),
                        4,
                        2));
        assertThat(FirewallPaths.event(
                        "l2",
                        event(
                                EVENT + "icmp-type 128",
                                EVENT + "icmp-code 0",
                                EVENT + "dropped flows",
                                EVENT + "later x")))
                .hasValueSatisfying(logged -> {
                    assertThat(logged.dropped()).contains("flows");
                    assertThat(logged.inside().icmp()).contains(new Pair(128, 0));
                    assertThat(logged.inside().ports()).isEmpty();
                });
    }

    @Test
    void what_makes_no_sense_is_passed_over() {
        assertThat(FirewallPaths.event("l2", notification())).isEmpty();
        assertThat(FirewallPaths.event("l2", notification(EVENT + "time 1"))).isEmpty();
        assertThat(FirewallPaths.event("l2", event(EVENT + "source nobody"))).isEmpty();
        assertThat(FirewallPaths.event("l2", event("/firewalls/firewall[instance=4]/log/event/lost 1")))
                .isEmpty();
    }

    @Test
    void rows_add_up_to_rules_and_only_those_that_counted_are_told() {
        FirewallPaths.Rows rows = new FirewallPaths.Rows("l2");
        List<String> first = new ArrayList<>();
        for (String id : List.of("a", "b", "c")) {
            first.add(RULES + id + "]/state/rule-set 7");
            first.add(RULES + id + "]/state/priority " + (id.equals("c") ? 1 : 100));
        }
        rows.take(notification(first.toArray(String[]::new)));
        assertThat(rows.take(notification(
                        RULES + "a]/state/counters/packets 2",
                        RULES + "a]/state/counters/bytes 200",
                        RULES + "b]/state/counters/packets 3",
                        RULES + "b]/state/counters/bytes 300")))
                .containsExactly(new Counted("l2", 3, List.of(new Rule(7, 100, new Counters(5, 500)))));
        assertThat(rows.take(notification(RULES + "b]/state/counters/packets 4")))
                .containsExactly(new Counted("l2", 3, List.of(new Rule(7, 100, new Counters(6, 500)))));
        rows.take(Notification.newBuilder()
                .addDelete(path(RULES + "a]/state/counters/packets"))
                .build());
        assertThat(rows.take(notification(RULES + "b]/state/counters/packets 5")))
                .containsExactly(new Counted("l2", 3, List.of(new Rule(7, 100, new Counters(5, 300)))));
    }

    @Test
    void a_row_of_which_nobody_knows_what_it_is_counts_for_nothing() {
        assertThat(new FirewallPaths.Rows("l2").take(notification(RULES + "a]/state/counters/packets 2")))
                .isEmpty();
    }

    @Test
    void a_flood_costs_the_oldest_events_and_is_counted_with_the_next_of_the_same_firewall() {
        List<Runnable> tasks = new ArrayList<>();
        List<Logged> heard = new ArrayList<>();
        LoggedQueue queue = new LoggedQueue(tasks::add, heard::add);
        Logged event = FirewallPaths.event("l2", event()).orElseThrow();
        for (int i = 0; i < LoggedQueue.MOST + 10; i++) {
            queue.put(event);
        }
        assertThat(tasks).as("one thread, asked once").hasSize(1);
        tasks.get(0).run();
        assertThat(heard).hasSize(LoggedQueue.MOST);
        assertThat(heard.get(0).lost()).isEqualTo(2 + 10 * 3);
        assertThat(heard.get(1).lost()).isEqualTo(2);
        queue.put(event);
        assertThat(tasks).hasSize(2);
    }
}
