// SPDX-License-Identifier: Apache-2.0
package org.sextant.northbound.answer;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.node.IntNode;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.stream.IntStream;
import javax.ws.rs.ServiceUnavailableException;
import org.junit.jupiter.api.DisplayNameGeneration;
import org.junit.jupiter.api.DisplayNameGenerator.ReplaceUnderscores;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@DisplayNameGeneration(ReplaceUnderscores.class)
@Timeout(30)
class JsonAnswerTest {

    @Test
    void a_list_is_its_elements() throws IOException {
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        JsonAnswer.list(List.of(1, 2, 3), IntNode::valueOf).write(out);
        assertThat(out).hasToString("[1,2,3]");
    }

    @Test
    void a_list_that_breaks_off_does_not_look_whole() {
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        JsonAnswer answer = JsonAnswer.list(List.of(1, 0), number -> IntNode.valueOf(1 / number));
        assertThatThrownBy(() -> answer.write(out)).isInstanceOf(ArithmeticException.class);
        assertThat(out.toString(StandardCharsets.UTF_8)).doesNotContain("]");
    }

    @Test
    void while_sixteen_are_being_read_nobody_waits_for_the_seventeenth() throws Exception {
        CountDownLatch reading = new CountDownLatch(16);
        CountDownLatch read = new CountDownLatch(1);
        ExecutorService readers = Executors.newCachedThreadPool();
        try {
            List<? extends Future<?>> sixteen = IntStream.range(0, 16)
                    .mapToObj(i -> readers.submit(() -> {
                        new JsonAnswer(json -> {
                                    reading.countDown();
                                    await(read);
                                })
                                .write(OutputStream.nullOutputStream());
                        return null;
                    }))
                    .toList();
            reading.await();
            assertThatThrownBy(
                            () -> JsonAnswer.list(List.of(1), IntNode::valueOf).write(OutputStream.nullOutputStream()))
                    .isInstanceOfSatisfying(
                            ServiceUnavailableException.class,
                            busy -> assertThat(busy.getResponse().getHeaderString("Retry-After"))
                                    .isEqualTo("2"));
            read.countDown();
            for (Future<?> one : sixteen) {
                one.get();
            }
            JsonAnswer.list(List.of(1), IntNode::valueOf).write(OutputStream.nullOutputStream());
        } finally {
            readers.shutdownNow();
        }
    }

    private static void await(CountDownLatch latch) throws IOException {
        try {
            latch.await();
        } catch (InterruptedException e) {
            throw new IOException(e);
        }
    }

    @Test
    void who_reads_too_slowly_is_let_go() throws IOException {
        // A client that takes a microsecond a byte is fast enough; one that takes a millisecond is not.
        OutputStream fast = new PacedStream(new Slow(1_000), 0);
        for (int i = 0; i < 50; i++) {
            fast.write(new byte[1000]);
        }
        OutputStream slow = new PacedStream(new Slow(1_000_000), 0);
        assertThatThrownBy(() -> {
                    while (true) {
                        slow.write(new byte[10]);
                    }
                })
                .isInstanceOf(IOException.class)
                .hasMessage("the client reads too slowly");
    }

    /** Takes its time for every byte. */
    private static final class Slow extends OutputStream {
        private final long nanosPerByte;

        Slow(long nanosPerByte) {
            this.nanosPerByte = nanosPerByte;
        }

        @Override
        public void write(int one) {
            write(new byte[1], 0, 1);
        }

        @Override
        public void write(byte[] from, int offset, int length) {
            long end = System.nanoTime() + length * nanosPerByte;
            while (System.nanoTime() < end) {
                Thread.onSpinWait();
            }
        }
    }
}
