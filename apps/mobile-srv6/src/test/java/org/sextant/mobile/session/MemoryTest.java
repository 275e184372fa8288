// SPDX-License-Identifier: Apache-2.0
package org.sextant.mobile.session;

import static org.assertj.core.api.Assertions.assertThat;
import static org.sextant.mobile.Mobile.anchored;
import static org.sextant.mobile.Mobile.between;

import java.lang.management.ManagementFactory;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.DisplayNameGeneration;
import org.junit.jupiter.api.DisplayNameGenerator;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.sextant.core.intent.IntentState;
import org.sextant.core.net.Network;

/**
 * The heap of a stored session in each state. A hundred thousand must fit in 512 MiB with the controller's own heap.
 * The nodes and the store of the test count, too.
 */
@Timeout(300)
@DisplayNameGeneration(DisplayNameGenerator.ReplaceUnderscores.class)
@Tag("slow")
class MemoryTest {
    private static final int SESSIONS = 8_000;
    private static final long MOST = 2_800;
    private static final long FEW = 400;

    @Test
    void sessions_between_gateways_take_little_room_in_every_state() {
        live(between(""));
    }

    @Test
    void sessions_of_an_anchor_take_little_room_in_every_state() {
        live(anchored(""));
    }

    private static void live(String slice) {
        try (Sessions sessions = new Sessions()) {
            sessions.slice(slice);
            long empty = used();
            sessions.client.post(
                    "slices/s/sessions",
                    IntStream.range(0, SESSIONS).mapToObj(Sessions::json).collect(Collectors.joining(",", "[", "]")));
            hold(sessions, empty, "installed", IntentState.INSTALLED, MOST);
            Sessions.await(sessions.engine.audit());
            hold(sessions, empty, "audited", IntentState.INSTALLED, MOST);
            Network whole = sessions.inventory.snapshot();
            sessions.inventory.set(
                    new Network(whole.nodes().values(), List.of(), whole.hosts().values()));
            sessions.settle();
            hold(sessions, empty, "no links", IntentState.FAILED, MOST);
            sessions.inventory.set(whole);
            sessions.settle();
            hold(sessions, empty, "with links again", IntentState.INSTALLED, MOST);
            sessions.client.delete("slices/s/sessions?all=true");
            sessions.settle();
            hold(sessions, empty, "deleted", null, FEW);
        }
    }

    private static void hold(Sessions sessions, long empty, String when, IntentState state, long most) {
        sessions.dataPlane.forgetLog();
        if (state != null) {
            assertThat(sessions.all()).as(when).allMatch(status -> status.state() == state);
        }
        long each = (used() - empty) / SESSIONS;
        System.out.printf("%s: %d bytes per session%n", when, each);
        assertThat(each).as("bytes per session, " + when).isLessThan(most);
    }

    private static long used() {
        for (int i = 0; i < 3; i++) {
            System.gc();
        }
        return ManagementFactory.getMemoryMXBean().getHeapMemoryUsage().getUsed();
    }
}
