// SPDX-License-Identifier: Apache-2.0
package org.sextant.core.contract;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Optional;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.DisplayNameGeneration;
import org.junit.jupiter.api.DisplayNameGenerator.ReplaceUnderscores;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.sextant.core.port.Coordination;
import org.sextant.core.port.Member;
import org.sextant.core.port.Subscription;

/** The contract of {@link Coordination}. */
@DisplayNameGeneration(ReplaceUnderscores.class)
@Timeout(60)
public abstract class CoordinationContract {
    protected static final String NODE = "n1";
    private static final String NO_NODE = Coordination.OF_NO_NODE;

    protected abstract Coordination coordination();

    /**
     * Gives the node, and whatever is no node, to another controller; or takes it back.
     *
     * @return false if this host has no other controller
     */
    protected abstract boolean give(boolean mine);

    /**
     * Another controller is ready, or is lost.
     *
     * @return false if this host has no other controller
     */
    protected abstract boolean come(boolean there);

    @Test
    void a_controller_alone_acts_for_every_key() {
        assertThat(coordination().isMine(NODE)).isTrue();
        assertThat(coordination().isMine(NO_NODE)).isTrue();
    }

    @Test
    void of_several_one_acts_and_the_others_hear_of_it() throws InterruptedException {
        Semaphore heard = new Semaphore(0);
        Subscription subscription = coordination().onChange(heard::release);
        boolean others = give(false);
        assertThat(coordination().isMine(NODE)).isEqualTo(!others);
        assertThat(coordination().isMine(NO_NODE)).isEqualTo(!others);
        assertThat(!others || heard.tryAcquire(10, TimeUnit.SECONDS)).as("told").isTrue();
        give(true);
        assertThat(coordination().isMine(NODE)).isTrue();
        subscription.close();
        subscription.close();
        heard.drainPermits();
        give(false);
        give(true);
        assertThat(heard.availablePermits()).as("told after leaving").isZero();
    }

    @Test
    void a_controller_is_a_member_and_acts_for_what_is_its() {
        Member self = self();
        assertThat(self.state()).isEqualTo(Member.State.READY);
        assertThat(coordination().leaderOf(NODE)).contains(self.id());
        assertThat(coordination().leaderOf(NO_NODE)).contains(self.id());
    }

    @Test
    void what_another_acts_for_is_that_ones() {
        boolean others = give(false);
        assertThat(coordination().leaderOf(NODE).equals(Optional.of(self().id())))
                .isEqualTo(!others);
        assertThat(coordination().leaderOf(NO_NODE).equals(Optional.of(self().id())))
                .isEqualTo(!others);
        give(true);
        assertThat(coordination().leaderOf(NODE)).contains(self().id());
    }

    @Test
    void members_that_come_and_go_are_told() throws InterruptedException {
        Semaphore heard = new Semaphore(0);
        Subscription subscription = coordination().onChange(heard::release);
        boolean others = come(true);
        assertThat(states()).hasSize(others ? 2 : 1).containsOnly(Member.State.READY);
        assertThat(!others || heard.tryAcquire(10, TimeUnit.SECONDS)).as("told").isTrue();
        heard.drainPermits();
        come(false);
        assertThat(states().contains(Member.State.LOST)).as("one is lost").isEqualTo(others);
        assertThat(!others || heard.tryAcquire(10, TimeUnit.SECONDS)).as("told").isTrue();
        assertThat(coordination().members()).extracting(Member::id).isSorted();
        subscription.close();
        heard.drainPermits();
        come(true);
        assertThat(heard.availablePermits()).as("told after leaving").isZero();
    }

    private Member self() {
        List<Member> selves =
                coordination().members().stream().filter(Member::self).toList();
        assertThat(selves).hasSize(1);
        return selves.get(0);
    }

    private List<Member.State> states() {
        return coordination().members().stream().map(Member::state).toList();
    }
}
