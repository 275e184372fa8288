// SPDX-License-Identifier: Apache-2.0
package org.sextant.kit;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.DisplayNameGeneration;
import org.junit.jupiter.api.DisplayNameGenerator.ReplaceUnderscores;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@DisplayNameGeneration(ReplaceUnderscores.class)
class InstallWaitTest {
    private static final Duration LONG = Duration.ofMinutes(10);

    @Test
    @Timeout(60)
    void while_many_wait_for_nodes_the_next_is_answered_at_once() throws Exception {
        CompletableFuture<Void> never = new CompletableFuture<>();
        ExecutorService requests = Executors.newCachedThreadPool();
        try {
            List<Future<Boolean>> waiting = new ArrayList<>();
            while (never.getNumberOfDependents() < 64) {
                if (waiting.size() < 64) {
                    waiting.add(requests.submit(() -> InstallWait.await(never, LONG)));
                }
                Thread.onSpinWait();
            }
            assertThat(InstallWait.await(never, LONG)).isFalse();
            assertThat(InstallWait.await(CompletableFuture.completedFuture(null), LONG))
                    .isTrue();
            never.complete(null);
            for (Future<Boolean> one : waiting) {
                assertThat(one.get()).isTrue();
            }
            assertThat(InstallWait.await(never, LONG)).isTrue();
        } finally {
            requests.shutdownNow();
        }
    }
}
