// SPDX-License-Identifier: Apache-2.0
package org.sextant.karaf.southbound;

import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import org.sextant.karaf.southbound.PacketInQueue.Source;

/** The log lines about dropped packet-ins: one for each port that lost frames since the line before. */
final class DropReports {
    private SortedMap<Source, Long> reported = new TreeMap<>();

    /** @param dropped frames since the start, by where they came in */
    List<String> due(SortedMap<Source, Long> dropped) {
        List<String> lines = dropped.entrySet().stream()
                .filter(entry -> more(entry) > 0)
                .map(entry ->
                        "node=%s port=%d dropped_packet_ins=%d total=%d reason=\"frames come faster than they are handled\""
                                .formatted(entry.getKey().node(), entry.getKey().port(), more(entry), entry.getValue()))
                .toList();
        reported = new TreeMap<>(dropped);
        return lines;
    }

    private long more(Map.Entry<Source, Long> entry) {
        return entry.getValue() - reported.getOrDefault(entry.getKey(), 0L);
    }
}
