// SPDX-License-Identifier: Apache-2.0
package org.sextant.usid.app;

import com.fasterxml.jackson.databind.node.ObjectNode;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.sextant.core.port.LivenessTelemetry.Delay;
import org.sextant.core.port.LivenessTelemetry.Measured;
import org.sextant.core.port.LivenessTelemetry.Seen;
import org.sextant.core.port.LivenessTelemetry.Status;
import org.sextant.core.text.Moments;

/** The liveness of one candidate path: the worse of its lists, one per family. Filled, then shown. */
final class PathSeen {
    private final long preference;
    private final List<Seen> lists = new ArrayList<>();
    private boolean silent;
    private boolean inUse;

    PathSeen(long preference) {
        this.preference = preference;
    }

    /** @param list empty if the node has not reported it */
    void add(Optional<Seen> list, boolean used) {
        list.ifPresentOrElse(lists::add, () -> silent = true);
        inUse |= used;
    }

    void json(ObjectNode path) {
        path.put("preference", preference).put("inUse", inUse);
        ObjectNode liveness = path.putObject("liveness");
        Status status = status();
        liveness.put("state", status.name());
        lists.stream()
                .filter(list -> list.status() == status)
                .flatMap(list -> list.since().stream())
                .max(Instant::compareTo)
                .ifPresent(since -> liveness.put("since", Moments.iso(since)));
        measured(liveness);
    }

    private Status status() {
        if (lists.stream().anyMatch(list -> list.status() == Status.DOWN)) {
            return Status.DOWN;
        }
        boolean all = !silent && lists.stream().allMatch(list -> list.status() == Status.UP);
        return all && !lists.isEmpty() ? Status.UP : Status.UNKNOWN;
    }

    private void measured(ObjectNode json) {
        List<Measured> measured = lists.stream().map(Seen::measured).toList();
        json.put("sent", measured.stream().mapToLong(Measured::sent).sum())
                .put("received", measured.stream().mapToLong(Measured::received).sum())
                .put("lost", measured.stream().mapToLong(Measured::lost).sum());
        List<Delay> delays =
                measured.stream().flatMap(one -> one.delay().stream()).toList();
        if (!delays.isEmpty()) {
            json.putObject("delayMicros")
                    .put("min", delays.stream().mapToLong(Delay::min).min().getAsLong())
                    .put(
                            "avg",
                            Math.round(delays.stream()
                                    .mapToLong(Delay::average)
                                    .average()
                                    .getAsDouble()))
                    .put("max", delays.stream().mapToLong(Delay::max).max().getAsLong());
            json.put(
                    "jitterMicros",
                    delays.stream().mapToLong(Delay::jitter).max().getAsLong());
        }
    }
}
