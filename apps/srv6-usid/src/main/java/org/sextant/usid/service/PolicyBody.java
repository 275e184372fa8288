// SPDX-License-Identifier: Apache-2.0
package org.sextant.usid.service;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.IOException;
import java.io.InputStream;
import java.io.PushbackInputStream;
import java.util.ArrayList;
import java.util.List;
import org.sextant.core.Problem;
import org.sextant.core.ProblemException;
import org.sextant.core.json.BoundedJson;
import org.sextant.usid.Policy;
import org.sextant.usid.PolicyJson;

/**
 * What a client posted: one policy, or a list of them.
 *
 * @param bulk it was a list
 * @param items in the order posted
 */
public record PolicyBody(boolean bulk, List<Item> items) {
    /** The largest document of one policy. */
    public static final int MAX_POLICY_BYTES = 64 << 10;

    /** The longest list. */
    public static final int MAX_POLICIES = 100_000;

    /** The largest list in bytes. */
    public static final long MAX_LIST_BYTES = 64L << 20;

    private static final int MAX_DEPTH = 32;
    private static final BoundedJson JSON = new BoundedJson(MAX_POLICY_BYTES, MAX_DEPTH);

    public PolicyBody {
        items = List.copyOf(items);
    }

    /** A policy, or what is wrong with it: exactly one of the two is there. */
    public record Item(Policy policy, List<Problem> problems) {
        public boolean readable() {
            return policy != null;
        }
    }

    /**
     * Reads a whole body. A single policy that is not valid is an exception; one of a list is an item with problems.
     *
     * @throws ProblemException if the body is not JSON of the right size and depth, or the single policy is not valid
     */
    public static PolicyBody read(InputStream stream) throws IOException {
        PushbackInputStream body = new PushbackInputStream(stream);
        if (first(body) != '[') {
            return new PolicyBody(false, List.of(new Item(PolicyJson.decode(JSON.read(body)), List.of())));
        }
        List<Item> items = new ArrayList<>();
        JSON.readEach(body, MAX_POLICIES, MAX_LIST_BYTES, (index, json) -> items.add(item(json, index)));
        return new PolicyBody(true, items);
    }

    /** The first character that is not blank; it and all behind it are still to be read. */
    private static int first(PushbackInputStream body) throws IOException {
        int read = body.read();
        for (int blanks = 0; read >= 0 && Character.isWhitespace(read) && blanks < MAX_POLICY_BYTES; blanks++) {
            read = body.read();
        }
        if (read >= 0) {
            body.unread(read);
        }
        return read;
    }

    private static Item item(JsonNode json, int index) {
        try {
            return new Item(PolicyJson.decode(json, "/" + index), List.of());
        } catch (ProblemException e) {
            return new Item(null, e.problems());
        }
    }
}
