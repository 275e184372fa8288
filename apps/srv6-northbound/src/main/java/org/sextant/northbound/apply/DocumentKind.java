// SPDX-License-Identifier: Apache-2.0
package org.sextant.northbound.apply;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Optional;
import org.sextant.core.Problem;
import org.sextant.core.ProblemException;
import org.sextant.core.json.Fields;
import org.sextant.kit.app.AppWords;
import org.sextant.kit.app.SrApp;

/** A kind of documents: the intents of an app. */
public record DocumentKind<I>(SrApp<I> app) {
    static final String KIND = "kind";
    static final String NAME = "name";
    static final String SPEC = "spec";

    /** The name of the field in the engine's problems with an id. */
    private static final String ID = "/id";

    /** The value of {@code kind}. */
    public String word() {
        return app.words().document().kind();
    }

    /** The address of the app in REST. */
    public String address() {
        return app.words().address();
    }

    /** The field with the name of the intent above, for kinds below another: {@code slice}. */
    Optional<String> above() {
        return app.words().within().map(AppWords::one);
    }

    /** Reads the fields behind {@code kind}; the document is empty if there is a problem. */
    Optional<Document<I>> read(Fields fields) {
        int before = fields.problems().size();
        String one = app.words().one();
        fields.require(NAME, "give the name of the " + one + ", by which it is found again");
        Optional<String> name = fields.text(NAME);
        above().ifPresent(field -> fields.require(field, "give the name of the " + field + " that has the " + one));
        Optional<String> above = above().flatMap(fields::text);
        fields.require(SPEC, "give the " + one + " as it is posted, without its name");
        Optional<JsonNode> spec = fields.node(SPEC);
        spec.ifPresent(node -> check(node, fields));
        fields.finish();
        return fields.problems().size() > before
                ? Optional.empty()
                : decoded(name.orElseThrow(), above, spec.orElseThrow(), fields);
    }

    private void check(JsonNode spec, Fields fields) {
        String at = fields.pointer(SPEC);
        String nameField = app.words().document().nameField();
        if (!spec.isObject()) {
            fields.invalid(at, "an object is wanted here, not " + Fields.describe(spec), "write {…}");
        } else if (spec.has(nameField)) {
            fields.invalid(
                    at + "/" + nameField, "the name is a field of the document, beside \"kind\"", "remove it here");
        } else if (size(spec) > app.mostBytes()) {
            fields.invalid(at, "the document is larger than " + app.mostBytes() + " bytes", "divide it");
        }
    }

    private static int size(JsonNode spec) {
        return spec.toString().getBytes(StandardCharsets.UTF_8).length;
    }

    private Optional<Document<I>> decoded(String name, Optional<String> above, JsonNode spec, Fields fields) {
        ObjectNode body = JsonNodeFactory.instance.objectNode();
        body.put(app.words().document().nameField(), name);
        body.setAll((ObjectNode) spec);
        try {
            I intent = above.isPresent() ? app.decode(above.get(), body) : app.decode(body);
            return Optional.of(new Document<>(this, above, name, intent));
        } catch (ProblemException e) {
            fields.problems().addAll(placed(fields.pointer(""), e.problems()));
            return Optional.empty();
        }
    }

    /**
     * Problems of an intent as those of its document.
     *
     * @param at the pointer of the document, with a slash behind it
     */
    List<Problem> placed(String at, List<Problem> problems) {
        return problems.stream()
                .map(problem ->
                        new Problem(problem.code(), at + placed(problem.field()), problem.message(), problem.remedy()))
                .toList();
    }

    private String placed(String field) {
        if (field.equals("/" + app.words().document().nameField()) || field.equals(ID)) {
            return NAME;
        }
        return above().filter(word -> field.equals("/" + word)).orElse(SPEC + field);
    }

    /** The differences between two intents of one name, as fields of their documents. */
    List<Difference> differences(I before, I after) {
        return Difference.between("/" + SPEC, spec(before), spec(after));
    }

    private ObjectNode spec(I intent) {
        ObjectNode spec = app.encode(intent);
        spec.remove(app.words().document().nameField());
        return spec;
    }
}
