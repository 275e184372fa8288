// SPDX-License-Identifier: Apache-2.0
package org.sextant.northbound.audit;

import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.Optional;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.sextant.core.Reason;
import org.sextant.core.calls.Daemons;
import org.sextant.core.durable.DurableFile;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Adds the end of the trail to a file that the operator names, and sends it to the collector: when it opens, every so many minutes
 * and when it closes, if there are new lines. On a thread of its own, as the file may be on another machine; no change waits for it.
 */
final class Anchors implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(Anchors.class);
    private static final int PATIENCE_SECONDS = 5;

    private final AuditLog trail;
    private final AuditLogSettings settings;
    private final Consumer<ObjectNode> collector;
    private final ScheduledExecutorService clock = Daemons.clock("sextant-audit-anchors");
    private long written;
    private boolean failing;

    Anchors(AuditLog trail, AuditLogSettings settings, Consumer<ObjectNode> collector) {
        this.trail = trail;
        this.settings = settings;
        this.collector = collector;
        clock.scheduleWithFixedDelay(this::write, 0, settings.anchorMinutes(), TimeUnit.MINUTES);
    }

    private void write() {
        try {
            Optional<ObjectNode> anchor = trail.anchor();
            long seq = anchor.map(line -> line.path("seq").asLong()).orElse(written);
            if (anchor.isPresent() && seq != written) {
                ObjectNode line = anchor.get();
                collector.accept(line);
                if (settings.anchors().isPresent()) {
                    append(settings.anchors().get(), line + "\n");
                }
                written = seq;
            }
            failing = false;
        } catch (IOException | RuntimeException e) {
            if (!failing) {
                LOG.error(
                        "audit anchors={} cannot be written: {}: until then a cut of the whole trail may stay unseen",
                        settings.anchors().map(Path::toString).orElse("-"),
                        Reason.of(e));
            }
            failing = true;
        }
    }

    private static void append(Path file, String line) throws IOException {
        DurableFile.create(file, DurableFile.OWNER_ONLY);
        try (RandomAccessFile out = new RandomAccessFile(file.toFile(), "rw")) {
            long end = out.length();
            out.seek(end);
            try {
                out.write(line.getBytes(StandardCharsets.US_ASCII));
                out.getFD().sync();
            } catch (IOException e) {
                out.setLength(end);
                throw e;
            }
        }
    }

    @Override
    public void close() {
        clock.execute(this::write);
        clock.shutdown();
        try {
            if (!clock.awaitTermination(PATIENCE_SECONDS, TimeUnit.SECONDS)) {
                clock.shutdownNow();
            }
        } catch (InterruptedException e) {
            clock.shutdownNow();
            Thread.currentThread().interrupt();
        }
    }
}
