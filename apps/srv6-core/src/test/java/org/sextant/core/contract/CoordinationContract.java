// SPDX-License-Identifier: Apache-2.0
package org.sextant.core.contract;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.DisplayNameGeneration;
import org.junit.jupiter.api.DisplayNameGenerator.ReplaceUnderscores;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.sextant.core.port.Coordination;
import org.sextant.core.port.Subscription;

/** The contract of {@link Coordination}. */
@DisplayNameGeneration(ReplaceUnderscores.class)
@Timeout(60)
public abstract class CoordinationContract {
    protected static final String NODE = "n1";
    private static final String NO_NODE = "numbering";

    protected abstract Coordination coordination();

    /**
     * Gives the node, and whatever is no node, to another controller; or takes it back.
     *
     * @return false if this host has no other controller
     */
    protected abstract boolean give(boolean mine);

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
}
