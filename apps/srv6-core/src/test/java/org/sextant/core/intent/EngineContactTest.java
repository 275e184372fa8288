// SPDX-License-Identifier: Apache-2.0
package org.sextant.core.intent;

import static org.assertj.core.api.Assertions.assertThat;
import static org.sextant.core.intent.Toy.toy;

import java.time.Clock;
import java.time.Instant;
import java.time.ZoneId;
import java.time.ZoneOffset;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.DisplayNameGeneration;
import org.junit.jupiter.api.DisplayNameGenerator;
import org.junit.jupiter.api.Test;

/** A node that does not answer: since when, the intents that wait for it, and the single cause that is reported. */
@DisplayNameGeneration(DisplayNameGenerator.ReplaceUnderscores.class)
class EngineContactTest {
    private static final Toy P1 = toy("p1", "fd00:1::/64", "a b");
    private static final Instant START = Instant.parse("2026-11-23T06:40:00Z");

    private final HandClock clock = new HandClock();
    private final Bench bench = Bench.started(Bench.QUIET.withClock(clock));

    @AfterEach
    void close() {
        bench.close();
    }

    @Test
    void a_lost_node_says_since_when_and_when_it_was_seen_last() {
        bench.submit(P1);
        clock.now = START.plusSeconds(60);
        bench.audit();
        clock.now = START.plusSeconds(180);
        bench.dataPlane.disconnect("b", "UNAVAILABLE: io exception");
        bench.settle();
        assertThat(node("b")).satisfies(node -> {
            assertThat(node.state()).isEqualTo(NodeStatus.State.LOST);
            assertThat(node.reason()).isEqualTo("UNAVAILABLE: io exception");
            assertThat(node.contact().since()).contains(START.plusSeconds(180));
            assertThat(node.contact().lastSeen()).contains(START.plusSeconds(60));
            assertThat(node.contact().waiting()).isEqualTo(1);
            assertThat(node.silence()).isEqualTo("b does not answer since 2026-11-23 06:43:00 UTC");
        });
        clock.now = START.plusSeconds(240);
        bench.dataPlane.disconnect("b", "UNAVAILABLE: io exception");
        bench.settle();
        assertThat(node("b").contact().since()).contains(START.plusSeconds(180));
        bench.dataPlane.connect("b");
        bench.settle();
        assertThat(node("b").contact().since()).contains(START.plusSeconds(240));
        assertThat(node("b").contact().waiting()).isZero();
    }

    @Test
    void all_entries_that_wait_for_a_node_name_it_and_none_has_the_words_of_a_library() {
        bench.dataPlane.disconnect("b", "UNAVAILABLE: io exception");
        bench.settle();
        bench.submit(P1);
        assertThat(bench.status("p1").troubles()).hasSize(3).allSatisfy(entry -> {
            assertThat(entry.waitsFor()).contains("b");
            assertThat(entry.failure().orElseThrow().reason()).doesNotContain("UNAVAILABLE");
        });
    }

    @Test
    void a_dry_run_over_a_node_that_does_not_answer_warns() {
        assertThat(bench.engine.dryRun(bench.kind, P1).warnings()).isEmpty();
        bench.dataPlane.disconnect("b", "UNAVAILABLE: io exception");
        bench.dataPlane.disconnect("d", "UNAVAILABLE: io exception");
        bench.settle();
        assertThat(bench.engine.dryRun(bench.kind, P1).warnings())
                .containsExactly("b does not answer since 2026-11-23 06:40:00 UTC: 1 entry would wait for it");
    }

    @Test
    void an_audit_is_told_of_with_whom_it_did_not_reach() {
        bench.dataPlane.disconnect("b", "UNAVAILABLE: io exception");
        bench.settle();
        bench.events.clear();
        DriftReport report = bench.audit();
        bench.close(); // only then all events are reported
        assertThat(bench.events).contains(new EngineEvent.AuditEnded(report));
        assertThat(report.unread()).containsOnlyKeys("b");
    }

    private NodeStatus node(String name) {
        return bench.engine.nodes().stream()
                .filter(one -> one.node().equals(name))
                .findFirst()
                .orElseThrow();
    }

    /** A clock that a test moves by hand. */
    private static final class HandClock extends Clock {
        volatile Instant now = START;

        @Override
        public ZoneId getZone() {
            return ZoneOffset.UTC;
        }

        @Override
        public Clock withZone(ZoneId zone) {
            return this;
        }

        @Override
        public Instant instant() {
            return now;
        }
    }
}
