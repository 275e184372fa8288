// SPDX-License-Identifier: Apache-2.0
package org.sextant.northbound.apply;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.IOException;
import java.io.InputStream;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import org.sextant.core.Problem;
import org.sextant.core.ProblemException;
import org.sextant.core.json.Fields;
import org.sextant.core.json.Suggestion;
import org.sextant.kit.app.SrApp;
import org.sextant.northbound.app.PostBody;

/**
 * A list of documents that was read: {@code [{"kind": "policy", "name": "gold", "spec": {…}}, …]}.
 *
 * <p>Each document is decoded as soon as it is read, so the JSON of the list never stands in memory as a whole.
 */
public final class DocumentList {
    /** The longest list: it is admitted in one turn of the engine, for which other changes wait. */
    static final int MOST_DOCUMENTS = 10_000;

    /** The most problems in an answer: a mistake that is made a hundred times is clear by then. */
    static final int MOST_PROBLEMS = 100;

    /** The bytes of a document beside its {@code spec}. */
    private static final int ENVELOPE_BYTES = 4096;

    private final Map<String, DocumentKind<?>> kinds = new TreeMap<>();
    private final Gate gate;
    private final List<Document<?>> documents = new ArrayList<>();
    private final Map<Key, Integer> places = new HashMap<>();
    private final List<Problem> problems = new ArrayList<>();

    /** The limits of a request. */
    public interface Gate {

        /** Throws if the caller may not change the kind of the document at this index. */
        void permit(int index, DocumentKind<?> kind);

        /** Throws if the app of this kind is about to start. */
        void expect(String kind);
    }

    /** The part of a document that no other one of the list has. */
    private record Key(String kind, Optional<String> above, String name) {}

    private DocumentList(Collection<? extends SrApp<?>> apps, Gate gate) {
        apps.forEach(app -> {
            DocumentKind<?> kind = new DocumentKind<>(app);
            kinds.put(kind.word(), kind);
        });
        this.gate = gate;
    }

    /**
     * Reads the documents of a request.
     *
     * @throws ProblemException if the body is not a list of the right size, or with the first problems of its documents
     */
    public static DocumentList read(Collection<? extends SrApp<?>> apps, InputStream body, Gate gate)
            throws IOException {
        DocumentList list = new DocumentList(apps, gate);
        int mostBytes = apps.stream().mapToInt(SrApp::mostBytes).max().orElse(0) + ENVELOPE_BYTES;
        PostBody.json(mostBytes).readEach(body, MOST_DOCUMENTS, PostBody.MAX_LIST_BYTES, list::add);
        refuse(list.problems);
        return list;
    }

    List<Document<?>> documents() {
        return List.copyOf(documents);
    }

    static void refuse(List<Problem> problems) {
        if (!problems.isEmpty()) {
            throw new ProblemException(problems.subList(0, Math.min(problems.size(), MOST_PROBLEMS)));
        }
    }

    private void add(int index, JsonNode json) {
        if (problems.size() >= MOST_PROBLEMS) {
            return;
        }
        Fields fields = new Fields(json, "/" + index, problems);
        if (!json.isObject()) {
            return;
        }
        fields.require(DocumentKind.KIND, "name one of " + String.join(", ", kinds.keySet()));
        Optional<DocumentKind<?>> kind = fields.text(DocumentKind.KIND).flatMap(word -> kind(word, fields));
        if (kind.isPresent()) {
            gate.permit(index, kind.get());
            kind.get().read(fields).filter(document -> isFirst(index, document)).ifPresent(documents::add);
        }
    }

    private Optional<DocumentKind<?>> kind(String word, Fields fields) {
        Optional<DocumentKind<?>> kind = Optional.ofNullable(kinds.get(word));
        if (kind.isEmpty()) {
            gate.expect(word);
            fields.invalid(
                    fields.pointer(DocumentKind.KIND),
                    "there is no kind \"" + Fields.shorten(word) + "\"",
                    Suggestion.of(word, kinds.keySet(), "kinds"));
        }
        return kind;
    }

    private boolean isFirst(int index, Document<?> document) {
        Integer first = places.putIfAbsent(new Key(document.kind().word(), document.above(), document.name()), index);
        if (first != null) {
            problems.add(new Problem(
                    Problem.Code.INVALID,
                    "/" + index + "/" + DocumentKind.NAME,
                    "document /" + first + " is " + document.kind().word() + " \"" + document.name() + "\", too",
                    "remove one of them, or give it another name"));
        }
        return first == null;
    }
}
