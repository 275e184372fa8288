// SPDX-License-Identifier: Apache-2.0
package org.sextant.northbound.audit;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.IOException;
import java.time.Clock;
import java.time.Instant;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.sextant.core.Reason;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The audit trail. A change has two lines: that it begins, which must be durable or there is no change, and how it ended, which is
 * durable before the answer leaves. So a full disk refuses changes, and whatever a crash leaves of a change, it leaves its line.
 *
 * <p>Callable from any thread.
 */
public final class AuditLog implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(AuditLog.class);
    private static final DateTimeFormatter MILLIS =
            DateTimeFormatter.ofPattern("uuuu-MM-dd'T'HH:mm:ss.SSS'Z'").withZone(ZoneOffset.UTC);

    private final AuditLogSettings settings;
    private final Clock clock;
    private final Consumer<ObjectNode> copies;
    private final Flood strangers = new Flood(System::nanoTime);
    private @Nullable AuditLogWriter ledger;
    private long lost;

    /** @param copies receive every line that was written */
    AuditLog(AuditLogSettings settings, Clock clock, Consumer<ObjectNode> copies) {
        this.settings = settings;
        this.clock = clock;
        this.copies = copies;
        try {
            ledger();
        } catch (AuditLogUnavailableException e) {
            LOG.error("{}; until then nothing can be changed", e.getMessage());
        }
    }

    /**
     * A dry run has no line that it begins, as nothing of it would be left to explain.
     *
     * @throws AuditLogUnavailableException if there is no room for it: then it must not be done
     */
    public void begin(AuditRecord deed) {
        if (deed.isAnnounced()) {
            AuditLogWriter here = ledger();
            sync(() -> here.sync(write(deed.begun())));
        }
    }

    /** It was done, or refused: whatever the disk takes, it is so. */
    public void end(AuditRecord deed, Outcome outcome, int status) {
        ObjectNode line = deed.ended(outcome.word(), status);
        try {
            AuditLogWriter here = ledger();
            sync(() -> here.acknowledge(write(line)));
        } catch (AuditLogUnavailableException e) {
            missed();
            LOG.error("{}; what is missing there: {}", e.getMessage(), line);
        }
    }

    /** As {@link #end}, for a caller whose name is not proved: for too many, only their number is recorded. */
    public void stranger(AuditRecord deed, int status) {
        int before = strangers.admit();
        if (before < 0) {
            return;
        }
        if (before > 0) {
            try {
                write(JsonNodeFactory.instance
                        .objectNode()
                        .put("event", "flood")
                        .put("leftOut", before));
            } catch (AuditLogUnavailableException e) {
                missed();
            }
        }
        end(deed, Outcome.DENIED, status);
    }

    private synchronized void missed() {
        lost++;
    }

    private synchronized long write(ObjectNode line) {
        AuditLogWriter here = ledger();
        try {
            if (lost > 0) {
                here.add(JsonNodeFactory.instance
                        .objectNode()
                        .put("event", "gap")
                        .put("lost", lost));
                lost = 0;
            }
            long seq = here.add(line);
            copies.accept(line);
            return seq;
        } catch (IOException e) {
            throw unavailable(e);
        }
    }

    /** A step that waits for the disk. */
    private interface Step {
        void make() throws IOException;
    }

    private void sync(Step step) {
        try {
            step.make();
        } catch (IOException e) {
            throw unavailable(e);
        }
    }

    private synchronized AuditLogWriter ledger() {
        if (ledger == null) {
            try {
                ledger = AuditLogWriter.open(settings, () -> MILLIS.format(Instant.now(clock)));
            } catch (IOException | RuntimeException e) {
                throw unavailable(e);
            }
        }
        return ledger;
    }

    private AuditLogUnavailableException unavailable(Exception cause) {
        return new AuditLogUnavailableException(
                "the audit trail in " + settings.folder() + " cannot be written: " + Reason.of(cause)
                        + ": make room there, or let the controller write there",
                cause);
    }

    /** The {@link Anchor} of now; empty if the trail cannot be written. */
    Optional<ObjectNode> anchor() {
        AuditLogWriter here;
        synchronized (this) {
            here = ledger;
        }
        return Optional.ofNullable(here).map(there -> there.anchor(MILLIS.format(Instant.now(clock))));
    }

    /**
     * The written lines, newest first.
     *
     * @throws AuditLogUnavailableException if it cannot be read
     */
    public List<JsonNode> read(AuditLogQuery query) {
        try {
            return AuditLogReader.read(ledger().files(), query);
        } catch (IOException e) {
            throw new AuditLogUnavailableException("the audit trail cannot be read: " + Reason.of(e), e);
        }
    }

    @Override
    public synchronized void close() {
        try {
            if (ledger != null) {
                ledger.close();
            }
        } catch (IOException e) {
            LOG.warn("the audit trail did not close: {}", Reason.of(e));
        }
    }

    /** For callers that ask while there may be none yet. */
    public static AuditLog required(Optional<AuditLog> there) {
        return there.orElseThrow(
                () -> new AuditLogUnavailableException("the audit trail is not there yet: the controller is starting"));
    }
}
