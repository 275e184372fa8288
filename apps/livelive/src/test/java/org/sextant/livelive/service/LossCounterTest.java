// SPDX-License-Identifier: Apache-2.0
package org.sextant.livelive.service;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class LossCounterTest {
    private final LossCounter tally = new LossCounter();

    @Test
    void lost_is_what_was_sent_and_did_not_arrive() {
        assertThat(tally.lost(0, 0, 0)).isZero();
        assertThat(tally.lost(100, 90, 100)).isEqualTo(10);
        assertThat(tally.lost(200, 195, 200)).isEqualTo(5);
        assertThat(tally.lost(300, 310, 300)).isZero();
    }

    /** The first reading of a flow with traffic. */
    @Test
    void what_is_sent_while_a_reading_is_made_is_not_lost_later() {
        assertThat(tally.lost(1000, 1300, 1310)).isZero();
        assertThat(tally.lost(3000, 3300, 3310)).isZero();
        assertThat(tally.lost(9000, 9000, 9000)).isZero();
        assertThat(tally.lost(9100, 9060, 9100)).isEqualTo(40);
    }

    /** The state after a restart of the controller. */
    @Test
    void what_was_lost_before_anybody_looked_is_lost_too() {
        assertThat(tally.lost(1000, 990, 1000)).isEqualTo(10);
    }

    @Test
    void a_sender_that_begins_anew_has_what_it_sent_before_delivered() {
        tally.lost(1000, 990, 1000);
        assertThat(tally.lost(50, 1040, 50)).isZero();
        assertThat(tally.lost(150, 1110, 150)).isEqualTo(30);
    }

    /** A former path of the flow: its cells at the egress continue, its entry at the ingress is new. */
    @Test
    void a_sender_that_began_anew_before_anybody_looked_does_not_hide_losses() {
        assertThat(tally.lost(10, 5000, 10)).isZero();
        assertThat(tally.lost(110, 5070, 110)).isEqualTo(30);
    }

    @Test
    void a_receiver_that_begins_anew_has_lost_nothing_by_that() {
        tally.lost(1000, 990, 1000);
        assertThat(tally.lost(1100, 60, 1100)).isZero();
        assertThat(tally.lost(1200, 140, 1200)).isEqualTo(20);
    }
}
