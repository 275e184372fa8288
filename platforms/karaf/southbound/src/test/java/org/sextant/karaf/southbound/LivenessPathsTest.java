// SPDX-License-Identifier: Apache-2.0
package org.sextant.karaf.southbound;

import static org.assertj.core.api.Assertions.assertThat;

import com.github.gnmi.proto.Notification;
import com.github.gnmi.proto.Subscription;
import com.github.gnmi.proto.SubscriptionMode;
import java.time.Instant;
import java.util.Optional;
import org.junit.jupiter.api.DisplayNameGeneration;
import org.junit.jupiter.api.DisplayNameGenerator.ReplaceUnderscores;
import org.junit.jupiter.api.Test;
import org.sextant.core.port.LivenessTelemetry.Delay;
import org.sextant.core.port.LivenessTelemetry.Measured;
import org.sextant.core.port.LivenessTelemetry.Seen;
import org.sextant.core.port.LivenessTelemetry.Status;

@DisplayNameGeneration(ReplaceUnderscores.class)
class LivenessPathsTest {
    static final String LIST = "/liveness/list[id=2147483649]/state/";

    private final LivenessPaths.Lists lists = new LivenessPaths.Lists("l1");

    static Notification down() {
        return FirewallPathsTest.notification(
                LIST + "status DOWN",
                LIST + "since 1700000000000000123",
                LIST + "in-use 2147483653",
                LIST + "sent 100",
                LIST + "received 97",
                LIST + "lost 3",
                LIST + "delay-min 210",
                LIST + "delay-avg 220",
                LIST + "delay-max 900",
                LIST + "jitter 12");
    }

    static Seen seen() {
        return new Seen(
                "l1",
                0x80000001,
                Status.DOWN,
                Optional.of(Instant.parse("2023-11-14T22:13:20.000000123Z")),
                0x80000005,
                new Measured(100, 97, 3, Optional.of(new Delay(210, 220, 900, 12))));
    }

    @Test
    void a_list_is_what_its_leaves_say() {
        assertThat(lists.take(down())).containsExactly(seen());
    }

    @Test
    void what_is_not_told_again_is_as_it_was() {
        lists.take(down());
        assertThat(lists.take(FirewallPathsTest.notification(LIST + "status UP", LIST + "in-use 2147483649")))
                .singleElement()
                .satisfies(seen -> {
                    assertThat(seen.status()).isEqualTo(Status.UP);
                    assertThat(seen.inUse()).isEqualTo(seen.sidList()).isEqualTo(0x80000001);
                    assertThat(seen.measured()).isEqualTo(seen().measured());
                });
    }

    @Test
    void a_list_that_is_gone_is_unknown_once() {
        lists.take(down());
        Notification gone = Notification.newBuilder()
                .addDelete(down().getUpdate(0).getPath())
                .build();
        assertThat(lists.take(gone))
                .containsExactly(new Seen("l1", 0x80000001, Status.UNKNOWN, Optional.empty(), 0, Measured.NOTHING));
        assertThat(lists.take(gone)).isEmpty();
    }

    @Test
    void what_makes_no_sense_is_passed_over() {
        assertThat(lists.take(FirewallPathsTest.notification(
                        "/liveness/list[id=x]/state/status DOWN",
                        "/liveness/list[id=4294967296]/state/status DOWN",
                        "/liveness/lists 7",
                        "/interfaces/interface[name=eth0]/state/oper-status UP")))
                .isEmpty();
        assertThat(lists.take(FirewallPathsTest.notification(
                        LIST + "status ASLEEP", LIST + "since 9999999999999999999", LIST + "sent many")))
                .containsExactly(new Seen("l1", 0x80000001, Status.UNKNOWN, Optional.empty(), 0, Measured.NOTHING));
    }

    @Test
    void changes_are_wanted_at_once_and_measurements_every_two_seconds() {
        assertThat(LivenessPaths.all())
                .filteredOn(one -> one.getMode() == SubscriptionMode.ON_CHANGE)
                .extracting(one -> one.getPath().getElem(3).getName())
                .containsExactly("status", "since", "in-use");
        assertThat(LivenessPaths.all())
                .filteredOn(one -> one.getMode() == SubscriptionMode.SAMPLE)
                .hasSize(7)
                .extracting(Subscription::getSampleInterval)
                .containsOnly(2_000_000_000L);
    }
}
