// SPDX-License-Identifier: Apache-2.0
package org.sextant.northbound.app;

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
import org.sextant.kit.app.SrApp;

/**
 * The body of a client's POST: one intent, or a list of them. A list is read twice, first to know that all of it is
 * JSON of the right size and depth, then part by part: neither its documents nor their problems stand in memory at
 * once.
 */
public final class PostBody<I> {
    /** The longest list. */
    static final int MAX_LIST = 100_000;

    /** The largest list in bytes. */
    public static final long MAX_LIST_BYTES = 64L << 20;

    private static final int MAX_DEPTH = 32;

    private final SrApp<I> app;
    private final InputStream list;
    private final Optional<I> single;

    /** Reads documents of one intent. */
    public static BoundedJson json(int mostBytes) {
        return new BoundedJson(mostBytes, MAX_DEPTH);
    }

    private PostBody(SrApp<I> app, InputStream list, Optional<I> single) {
        this.app = app;
        this.list = list;
        this.single = single;
    }

    /**
     * One of a list.
     *
     * @param intent empty if it cannot be read
     * @param problems why not; fields are pointers into the item
     */
    record Item<I>(Optional<I> intent, List<Problem> problems) {}

    /**
     * Reads a body, but for the intents of a list.
     *
     * @param stream if it cannot be read again from a mark, all of it is held
     * @throws ProblemException if the body is not JSON of the right size and depth, or the single intent is not valid
     */
    public static <I> PostBody<I> read(SrApp<I> app, InputStream stream) throws IOException {
        InputStream body =
                stream.markSupported() ? stream : new ByteArrayInputStream(stream.readNBytes((int) MAX_LIST_BYTES + 1));
        body.mark(Integer.MAX_VALUE);
        boolean isList = first(body, app.mostBytes()) == '[';
        body.reset();
        if (!isList) {
            return new PostBody<>(
                    app, body, Optional.of(app.decode(json(app.mostBytes()).read(body))));
        }
        json(app.mostBytes()).readEach(body, MAX_LIST, MAX_LIST_BYTES, (index, json) -> {});
        return new PostBody<>(app, body, Optional.empty());
    }

    /**
     * Reads the document of one intent.
     *
     * @throws ProblemException if it is not JSON of the right size and depth, or not valid
     */
    public static <I> I one(SrApp<I> app, InputStream body) throws IOException {
        return app.decode(json(app.mostBytes()).read(body));
    }

    /** The first character that is not blank. */
    private static int first(InputStream body, int most) throws IOException {
        int read = body.read();
        for (int blanks = 0; read >= 0 && Character.isWhitespace(read) && blanks < most; blanks++) {
            read = body.read();
        }
        return read;
    }

    /** The intent, unless it was a list. */
    public Optional<I> single() {
        return single;
    }

    /** The treatment of an item. */
    @FunctionalInterface
    interface Taking<I> {
        void take(Item<I> item) throws IOException;
    }

    /** Reads the list. An intent that is not valid is an item with problems. */
    void each(Taking<I> taking) throws IOException {
        list.reset();
        json(app.mostBytes()).readEach(list, MAX_LIST, MAX_LIST_BYTES, (index, json) -> {
            try {
                taking.take(item(json));
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        });
    }

    /** As {@link #each}, in parts of at most {@code size} items. */
    void parts(int size, Consumer<List<Item<I>>> taking) throws IOException {
        List<Item<I>> part = new ArrayList<>();
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

    private Item<I> item(JsonNode json) {
        try {
            return new Item<>(Optional.of(app.decode(json)), List.of());
        } catch (ProblemException e) {
            return new Item<>(Optional.empty(), e.problems());
        }
    }

    /** Problems of the item of a list, with fields that are pointers into the list. */
    static List<Problem> in(int index, List<Problem> problems) {
        return problems.stream()
                .map(problem ->
                        new Problem(problem.code(), "/" + index + problem.field(), problem.message(), problem.remedy()))
                .toList();
    }
}
