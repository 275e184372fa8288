// SPDX-License-Identifier: Apache-2.0
package org.sextant.core.intent;

import static org.assertj.core.api.Assertions.assertThat;
import static org.sextant.core.intent.Bench.await;
import static org.sextant.core.intent.Toy.toy;

import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.DisplayNameGeneration;
import org.junit.jupiter.api.DisplayNameGenerator;
import org.junit.jupiter.api.Test;

/** Dry runs compile on the threads of their callers, and give the result that submitting would have. */
@DisplayNameGeneration(DisplayNameGenerator.ReplaceUnderscores.class)
class EngineDryRunTest {
    private static final Toy SLOW = toy("slow", "fd00:1::/64", "a b");
    private static final Toy OTHER = toy("other", "fd00:2::/64", "a c");

    private final CountDownLatch begun = new CountDownLatch(1);
    private final CountDownLatch goOn = new CountDownLatch(1);
    private final AtomicInteger compiled = new AtomicInteger();

    /** Compiles the slow one until the test releases it. */
    private final IntentKind<Toy> kind = new Toy.Kind("slow") {
        @Override
        public Plan admit(NumberedIntent<Toy> intent, CompileContext context) {
            if (intent.intent().equals(SLOW) && compiled.incrementAndGet() == 1) {
                begun.countDown();
                try {
                    goOn.await();
                } catch (InterruptedException e) {
                    throw new IllegalStateException(e);
                }
            }
            return super.admit(intent, context);
        }
    };

    private final Bench bench = Bench.started();

    @AfterEach
    void close() {
        goOn.countDown();
        bench.close();
    }

    @Test
    void submissions_do_not_wait_for_one_that_takes_long() throws InterruptedException {
        bench.engine.register(kind);
        CompletableFuture<DryRun<Toy>> dryRun = CompletableFuture.supplyAsync(() -> bench.engine.dryRun(kind, SLOW));
        begun.await();
        Submission<Toy> submitted = bench.engine.submit(kind, List.of(OTHER));
        await(submitted.settled());
        goOn.countDown();
        DryRun<Toy> came = await(dryRun);
        assertThat(compiled)
                .as("compiled anew, as the network's intents changed")
                .hasValue(2);
        bench.engine.submit(kind, List.of(SLOW));
        IntentStatus<Toy> status = bench.engine.get(kind, "slow").orElseThrow();
        assertThat(status.intent()).isEqualTo(came.intent());
        assertThat(status.plan().entries()).isEqualTo(came.plan().entries());
    }

    @Test
    void what_stands_against_it_by_then_is_told() throws InterruptedException {
        bench.engine.register(kind);
        CompletableFuture<DryRun<Toy>> dryRun = CompletableFuture.supplyAsync(() -> bench.engine.dryRun(kind, SLOW));
        begun.await();
        await(bench.engine
                .submit(bench.kind, List.of(toy("first", "fd00:1::/64", "a c")))
                .settled());
        goOn.countDown();
        assertThat(await(dryRun).plan().problems()).singleElement().asString().contains("first");
    }
}
