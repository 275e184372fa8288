// SPDX-License-Identifier: Apache-2.0
package org.sextant.northbound.trail;

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
public final class Trail implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(Trail.class);
    private static final DateTimeFormatter MILLIS =
            DateTimeFormatter.ofPattern("uuuu-MM-dd'T'HH:mm:ss.SSS'Z'").withZone(ZoneOffset.UTC);

    private final TrailSettings settings;
    private final Clock clock;
    private final Consumer<ObjectNode> copies;
    private final Flood strangers = new Flood(System::nanoTime);
    private @Nullable Ledger ledger;
    private long lost;

    /** @param copies receive every line that was written */
    Trail(TrailSettings settings, Clock clock, Consumer<ObjectNode> copies) {
        this.settings = settings;
        this.clock = clock;
        this.copies = copies;
        try {
            ledger();
        } catch (TrailUnavailableException e) {
            LOG.error("{}; until then nothing can be changed", e.getMessage());
        }
    }

    /**
     * A dry run has no line that it begins, as nothing of it would be left to explain.
     *
     * @throws TrailUnavailableException if there is no room for it: then it must not be done
     */
    public void begin(Deed deed) {
        if (deed.isAnnounced()) {
            Ledger here = ledger();
            sync(() -> here.sync(write(deed.begun())));
        }
    }

    /** It was done, or refused: whatever the disk takes, it is so. */
    public void end(Deed deed, Outcome outcome, int status) {
        ObjectNode line = deed.ended(outcome.word(), status);
        try {
            Ledger here = ledger();
            sync(() -> here.acknowledge(write(line)));
        } catch (TrailUnavailableException e) {
            missed();
            LOG.error("{}; what is missing there: {}", e.getMessage(), line);
        }
    }

    /** As {@link #end}, for a caller whose name is not proved: for too many, only their number is recorded. */
    public void stranger(Deed deed, int status) {
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
            } catch (TrailUnavailableException e) {
                missed();
            }
        }
        end(deed, Outcome.DENIED, status);
    }

    private synchronized void missed() {
        lost++;
    }

    private synchronized long write(ObjectNode line) {
        Ledger here = ledger();
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

    private synchronized Ledger ledger() {
        if (ledger == null) {
            try {
                ledger = Ledger.open(settings, () -> MILLIS.format(Instant.now(clock)));
            } catch (IOException | RuntimeException e) {
                throw unavailable(e);
            }
        }
        return ledger;
    }

    private TrailUnavailableException unavailable(Exception cause) {
        return new TrailUnavailableException(
                "the audit trail in " + settings.folder() + " cannot be written: " + Reason.of(cause)
                        + ": make room there, or let the controller write there",
                cause);
    }

    /** The {@link Anchor} of now; empty if the trail cannot be written. */
    Optional<ObjectNode> anchor() {
        Ledger here;
        synchronized (this) {
            here = ledger;
        }
        return Optional.ofNullable(here).map(there -> there.anchor(MILLIS.format(Instant.now(clock))));
    }

    /**
     * The written lines, newest first.
     *
     * @throws TrailUnavailableException if it cannot be read
     */
    public List<JsonNode> read(TrailQuery query) {
        try {
            return TrailReader.read(ledger().files(), query);
        } catch (IOException e) {
            throw new TrailUnavailableException("the audit trail cannot be read: " + Reason.of(e), e);
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
    public static Trail required(Optional<Trail> there) {
        return there.orElseThrow(
                () -> new TrailUnavailableException("the audit trail is not there yet: the controller is starting"));
    }
}
