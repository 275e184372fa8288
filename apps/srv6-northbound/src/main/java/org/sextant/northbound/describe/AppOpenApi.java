// SPDX-License-Identifier: Apache-2.0
package org.sextant.northbound.describe;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.sextant.core.shape.NamedSchemas;
import org.sextant.core.shape.ObjectShape;
import org.sextant.kit.app.AppWords;
import org.sextant.kit.app.Filter;
import org.sextant.kit.app.Operation;
import org.sextant.kit.app.SrApp;

/**
 * The OpenAPI fragment of an app: the paths that the northbound serves for every app, in this one's words, the schemas of
 * its intent's declaration, and the app's own description (other schemas, its own resources), which is left as it is.
 */
public final class AppOpenApi {
    private static final ObjectMapper MAPPER = new ObjectMapper();
    private static final Pattern HOLE = Pattern.compile("\\$\\{([^}]+)}");

    private AppOpenApi() {}

    /**
     * Completes a fragment where it stands.
     *
     * @param arguments the app's class, or several with commas between, and the file of the fragment
     */
    public static void main(String[] arguments) throws IOException, ReflectiveOperationException {
        Path file = Path.of(arguments[1]);
        ObjectNode fragment = (ObjectNode) MAPPER.readTree(file.toFile());
        for (String name : arguments[0].split(",")) {
            SrApp<?> app = Class.forName(
                            name.strip(), true, Thread.currentThread().getContextClassLoader())
                    .asSubclass(SrApp.class)
                    .getDeclaredConstructor()
                    .newInstance();
            complete(fragment, app);
        }
        Files.writeString(file, MAPPER.writerWithDefaultPrettyPrinter().writeValueAsString(fragment));
    }

    static void complete(ObjectNode fragment, SrApp<?> app) throws IOException {
        JsonNode generic = MAPPER.readTree(filled(template("app.json"), words(app)));
        String address = "/" + app.words().address();
        ObjectNode one = (ObjectNode) generic.get("paths").get(address + "/{id}");
        if (app.changes()) {
            one.set("patch", MAPPER.readTree(filled(template("change.json"), words(app))));
        }
        if (app.replaces()) {
            one.set("put", MAPPER.readTree(filled(template("replace.json"), words(app))));
        }
        app.words().within().ifPresent(above -> generic.get("paths").forEach(path -> addressed(path, above)));
        add(generic.get("paths"), fragment.with("paths"));
        ObjectNode schemas = fragment.with("components").with("schemas");
        if (app.shape().isPresent()) {
            declare(app.shape().get(), schemas);
        }
        add(generic.at("/components/schemas"), schemas);
        if (app.changes()) {
            new PatchSchemas(schemas).add(app.words().schema());
        }
        DocumentSchemas.add(app, schemas);
        AppWords words = app.words();
        JsonNode path = fragment.get("paths").get(address);
        ObjectNode examples = (ObjectNode) path.at("/post/requestBody/content/application~1json/examples");
        for (AppWords.Example example : words.examples()) {
            examples.putObject(example.name())
                    .put("description", example.name())
                    .set("value", MAPPER.readTree(example.json()));
        }
        parameters(path.at("/get/parameters"), app.filters());
        parameters(path.at("/delete/parameters"), app.filters());
    }

    /** Adds the schemas of a declaration; a second, different description of one fails the build. */
    private static void declare(ObjectShape<?> shape, ObjectNode schemas) throws IOException {
        NamedSchemas named = new NamedSchemas();
        shape.schema(named);
        Iterator<Map.Entry<String, JsonNode>> declared =
                MAPPER.readTree(named.toJson().toString()).fields();
        while (declared.hasNext()) {
            Map.Entry<String, JsonNode> schema = declared.next();
            JsonNode before = schemas.get(schema.getKey());
            if (before != null && !before.equals(schema.getValue())) {
                throw new IllegalStateException("schema " + schema.getKey()
                        + " is declared by a shape and described once more: remove it from schemas.json");
            }
            schemas.set(schema.getKey(), schema.getValue());
        }
    }

    /** Every operation says below which one of the app above it is. */
    private static void addressed(JsonNode path, AppWords above) {
        path.forEach(operation -> {
            ArrayNode parameters = (ArrayNode) operation.get("parameters");
            parameters
                    .insertObject(0)
                    .put("name", above.one())
                    .put("in", "path")
                    .put("required", true)
                    .put("description", "the id of the " + above.one())
                    .putObject("schema")
                    .put("type", "string");
        });
    }

    private static String template(String name) throws IOException {
        try (InputStream stream = AppOpenApi.class.getResourceAsStream(name)) {
            return new String(stream.readAllBytes(), StandardCharsets.UTF_8);
        }
    }

    private static Map<String, String> words(SrApp<?> app) {
        AppWords words = app.words();
        Map<String, String> all = new LinkedHashMap<>();
        all.put("one", words.one());
        all.put("many", words.many());
        all.put("path", words.path());
        all.put("address", words.address());
        all.put("field", words.field());
        all.put("schema", words.schema());
        all.put("operationOne", words.operationOne());
        all.put("operationMany", words.operationMany());
        all.put(
                "removeSome",
                (words.operationOne().equals(words.operationMany()) ? "removeSome" : "remove") + words.operationMany());
        all.put("plan", words.plan());
        all.put("conflict", words.conflict());
        for (Operation operation : Operation.values()) {
            all.put("summary." + operation, words.summary(operation));
        }
        List<String> identity = app.filters().stream()
                .filter(Filter::identifies)
                .map(Filter::name)
                .toList();
        List<String> filters = app.filters().stream().map(Filter::name).toList();
        all.put("identity", identity.isEmpty() ? "ids" : String.join(" or ", identity));
        all.put(
                "chosen",
                filters.isEmpty()
                        ? "."
                        : " that matches " + sequence(filters) + ", or every " + words.one()
                                + " if none of these is given."
                                + (identity.isEmpty()
                                        ? ""
                                        : " Otherwise " + sequence(identity) + " must match exactly one."));
        return all;
    }

    /** {@code a, b and c}. */
    private static String sequence(List<String> names) {
        int last = names.size() - 1;
        return last == 0 ? names.get(0) : String.join(", ", names.subList(0, last)) + " and " + names.get(last);
    }

    private static String filled(String template, Map<String, String> words) throws IOException {
        Matcher holes = HOLE.matcher(template);
        StringBuilder text = new StringBuilder();
        while (holes.find()) {
            String quoted = MAPPER.writeValueAsString(words.get(holes.group(1)));
            holes.appendReplacement(text, Matcher.quoteReplacement(quoted.substring(1, quoted.length() - 1)));
        }
        return holes.appendTail(text).toString();
    }

    /** Adds the missing parts; common ones are joined, so that an app may add a method to a path. */
    private static void add(JsonNode from, ObjectNode to) {
        from.fields().forEachRemaining(field -> {
            if (!to.has(field.getKey())) {
                to.set(field.getKey(), field.getValue());
            } else if (field.getKey().startsWith("/")) {
                ((ObjectNode) to.get(field.getKey())).setAll((ObjectNode) field.getValue());
            }
        });
    }

    private static void parameters(JsonNode to, List<? extends Filter<?>> filters) {
        List<JsonNode> others = new ArrayList<>();
        to.forEach(others::add);
        ArrayNode parameters = ((ArrayNode) to).removeAll();
        for (Filter<?> filter : filters) {
            parameters
                    .addObject()
                    .put("name", filter.name())
                    .put("in", "query")
                    .put("description", filter.description())
                    .putObject("schema")
                    .put("type", "string");
        }
        others.stream()
                .filter(other -> filters.stream()
                        .noneMatch(own -> own.name().equals(other.get("name").textValue())))
                .forEach(parameters::add);
    }
}
