// SPDX-License-Identifier: Apache-2.0
package org.sextant.northbound.audit;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import java.util.ArrayList;
import java.util.List;

/**
 * The last line of a stretch in which each line follows the one before. By its hash it fixes all of the stretch. A chain that begins
 * anew names the ends that it found, so that the lines before it cannot be changed any more than those behind it.
 */
record ChainEnd(long seq, String hash) {
    /** More breaks than these are one: the lines are as good as lost. */
    static final int MOST = 100;

    static void write(List<ChainEnd> ends, ArrayNode into) {
        for (ChainEnd end : ends.subList(Math.max(0, ends.size() - MOST), ends.size())) {
            into.addObject().put("seq", end.seq()).put("hash", end.hash());
        }
    }

    static List<ChainEnd> read(JsonNode array) {
        List<ChainEnd> ends = new ArrayList<>();
        array.forEach(one ->
                ends.add(new ChainEnd(one.path("seq").asLong(), one.path("hash").asText())));
        return ends;
    }
}
