// SPDX-License-Identifier: Apache-2.0
package org.sextant.northbound.audit;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;

/**
 * The last durable line of the trail at some time, kept where the trail is not: whatever is done to the files and the head together, the
 * line must still be there.
 *
 * @param time in UTC
 * @param seq the line's number
 * @param hash the line's hash
 */
record Anchor(String time, long seq, String hash) {
    /** @param key under which it is authentic, as the head is */
    ObjectNode json(byte[] key) {
        return JsonNodeFactory.instance
                .objectNode()
                .put("event", "anchor")
                .put("time", time)
                .put("seq", seq)
                .put("hash", hash)
                .put("mac", Head.mac(key, "anchor " + seq + " " + hash));
    }
}
