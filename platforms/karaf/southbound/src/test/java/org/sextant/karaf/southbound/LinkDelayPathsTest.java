// SPDX-License-Identifier: Apache-2.0
package org.sextant.karaf.southbound;

import static org.assertj.core.api.Assertions.assertThat;

import com.github.gnmi.proto.Notification;
import com.github.gnmi.proto.SubscriptionMode;
import java.util.OptionalLong;
import org.junit.jupiter.api.DisplayNameGeneration;
import org.junit.jupiter.api.DisplayNameGenerator.ReplaceUnderscores;
import org.junit.jupiter.api.Test;
import org.sextant.core.port.LinkDelayTelemetry.Measured;

@DisplayNameGeneration(ReplaceUnderscores.class)
class LinkDelayPathsTest {
    static final String PORT = "/link-delays/port[id=3]/state/";

    private final LinkDelayPaths.Ports ports = new LinkDelayPaths.Ports("l1");

    static Notification window() {
        return FirewallPathsTest.notification(
                PORT + "id 3",
                PORT + "window 7",
                PORT + "sent 10",
                PORT + "received 9",
                PORT + "lost 1",
                PORT + "delay-min 210",
                PORT + "delay-avg 220",
                PORT + "delay-max 900");
    }

    static Measured measured(String node) {
        return new Measured(node, 3, 7, OptionalLong.of(210), 10, 1);
    }

    @Test
    void a_window_is_what_its_leaves_say() {
        assertThat(ports.take(window())).containsExactly(measured("l1"));
    }

    @Test
    void what_is_not_told_again_is_as_it_was() {
        ports.take(window());
        assertThat(ports.take(FirewallPathsTest.notification(PORT + "window 8")))
                .containsExactly(new Measured("l1", 3, 8, OptionalLong.of(210), 10, 1));
        assertThat(ports.take(FirewallPathsTest.notification(PORT + "sent 11")))
                .as("not at the end of a window")
                .isEmpty();
    }

    @Test
    void a_window_in_which_nothing_came_back_has_no_delay() {
        ports.take(window());
        Notification silent =
                FirewallPathsTest.notification(PORT + "window 8", PORT + "received 0", PORT + "lost 10").toBuilder()
                        .addDelete(window().getUpdate(5).getPath())
                        .build();
        assertThat(ports.take(silent)).containsExactly(new Measured("l1", 3, 8, OptionalLong.empty(), 10, 10));
    }

    @Test
    void no_time_at_all_is_a_microsecond() {
        assertThat(ports.take(FirewallPathsTest.notification(PORT + "window 8", PORT + "delay-min 0")))
                .containsExactly(new Measured("l1", 3, 8, OptionalLong.of(1), 0, 0));
    }

    @Test
    void what_makes_no_sense_is_passed_over() {
        assertThat(ports.take(FirewallPathsTest.notification(
                        "/link-delays/port[id=511]/state/window 1",
                        "/link-delays/port[id=0]/state/window 1",
                        "/link-delays/port[id=x]/state/window 1",
                        "/link-delays/port[id=3]/window 1",
                        "/liveness/list[id=3]/state/window 1",
                        PORT + "window soon")))
                .isEmpty();
        assertThat(ports.take(
                        FirewallPathsTest.notification(PORT + "window 1", PORT + "delay-min 9999999999999999999")))
                .containsExactly(new Measured("l1", 3, 1, OptionalLong.empty(), 0, 0));
        assertThat(ports.take(Notification.newBuilder()
                        .addDelete(window().getUpdate(5).getPath())
                        .build()))
                .isEmpty();
    }

    @Test
    void all_of_a_port_is_told_when_it_changes() {
        assertThat(LinkDelayPaths.all()).singleElement().satisfies(one -> {
            assertThat(one.getMode()).isEqualTo(SubscriptionMode.ON_CHANGE);
            assertThat(one.getPath().getElemList())
                    .extracting(elem -> elem.getName())
                    .containsExactly("link-delays", "port", "state");
        });
    }
}
