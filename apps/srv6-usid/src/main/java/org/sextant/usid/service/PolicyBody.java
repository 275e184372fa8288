// SPDX-License-Identifier: Apache-2.0
package org.sextant.usid.service;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;
import org.sextant.core.Problem;
import org.sextant.core.ProblemException;
import org.sextant.core.json.BoundedJson;
import org.sextant.usid.Policy;
import org.sextant.usid.PolicyJson;

/**
 * What a client posted: one policy, or a list of them. A list is read twice, first to know that all of it is JSON of the
 * right size and depth, then part by part: neither its documents nor what is wrong with them stand in memory at once.
 */
public final class PolicyBody {
    /** The largest document of one policy. */
    public static final int MAX_POLICY_BYTES = 64 << 10;

    /** The longest list. */
    public static final int MAX_POLICIES = 100_000;

    /** The largest list in bytes. */
    public static final long MAX_LIST_BYTES = 64L << 20;

    private static final int MAX_DEPTH = 32;
    private static final BoundedJson JSON = new BoundedJson(MAX_POLICY_BYTES, MAX_DEPTH);

    private final InputStream list;
    private final Optional<Policy> single;

    private PolicyBody(InputStream list, Optional<Policy> single) {
        this.list = list;
        this.single = single;
    }

    /** A policy, or what is wrong with it: exactly one of the two is there. */
    public record Item(Policy policy, List<Problem> problems) {
        public boolean readable() {
            return policy != null;
        }
    }

    /**
     * Reads a body, but for the policies of a list.
     *
     * @param stream if it cannot be read again from a mark, all of it is held
     * @throws ProblemException if the body is not JSON of the right size and depth, or the single policy is not valid
     */
    public static PolicyBody read(InputStream stream) throws IOException {
        InputStream body =
                stream.markSupported() ? stream : new ByteArrayInputStream(stream.readNBytes((int) MAX_LIST_BYTES + 1));
        body.mark(Integer.MAX_VALUE);
        boolean isList = first(body) == '[';
        body.reset();
        if (!isList) {
            return new PolicyBody(body, Optional.of(PolicyJson.decode(JSON.read(body))));
        }
        JSON.readEach(body, MAX_POLICIES, MAX_LIST_BYTES, (index, json) -> {});
        return new PolicyBody(body, Optional.empty());
    }

    /** The first character that is not blank. */
    private static int first(InputStream body) throws IOException {
        int read = body.read();
        for (int blanks = 0; read >= 0 && Character.isWhitespace(read) && blanks < MAX_POLICY_BYTES; blanks++) {
            read = body.read();
        }
        return read;
    }

    /** The policy, unless it was a list. */
    public Optional<Policy> single() {
        return single;
    }

    /** What is done about an item. */
    @FunctionalInterface
    public interface Taking {
        void take(Item item) throws IOException;
    }

    /** Reads the list. A policy that is not valid is an item with problems. */
    public void each(Taking taking) throws IOException {
        list.reset();
        JSON.readEach(list, MAX_POLICIES, MAX_LIST_BYTES, (index, json) -> {
            try {
                taking.take(item(json, index));
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        });
    }

    /** As {@link #each}, in parts of at most {@code size} items. */
    public void parts(int size, Consumer<List<Item>> taking) throws IOException {
        List<Item> part = new ArrayList<>();
        each(item -> {
            part.add(item);
            if (part.size() == size) {
                taking.accept(List.copyOf(part));
                part.clear();
            }
        });
        if (!part.isEmpty()) {
            taking.accept(part);
        }
    }

    private static Item item(JsonNode json, int index) {
        try {
            return new Item(PolicyJson.decode(json, "/" + index), List.of());
        } catch (ProblemException e) {
            return new Item(null, e.problems());
        }
    }
}
