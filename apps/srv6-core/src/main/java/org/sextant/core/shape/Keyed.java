// SPDX-License-Identifier: Apache-2.0
package org.sextant.core.shape;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.function.IntFunction;
import org.sextant.core.json.Fields;
import org.sextant.core.json.JsonInput;

/** An object whose names are keys: values of one shape by name, sorted. A key has a value, which is not null. */
public final class Keyed<T> implements Shape<SortedMap<String, T>> {
    private final Text<String> key;
    private final Shape<T> value;
    private final int most;
    private final IntFunction<String> message;
    private final String remedy;

    private Keyed(Text<String> key, Shape<T> value, int most, IntFunction<String> message, String remedy) {
        this.key = key;
        this.value = value;
        this.most = most;
        this.message = message;
        this.remedy = remedy;
    }

    /**
     * At most {@code most} keys; more than that are not read.
     *
     * @param message about the given number of keys
     */
    public static <T> Keyed<T> of(
            Text<String> key, Shape<T> value, int most, IntFunction<String> message, String remedy) {
        return new Keyed<>(key, value, most, message, remedy);
    }

    @Override
    public Optional<SortedMap<String, T>> read(JsonInput input) {
        int before = input.problems().size();
        Fields fields = new Fields(input.node(), input.pointer(), input.problems());
        SortedMap<String, T> values = new TreeMap<>();
        if (input.node().isObject() && input.node().size() > most) {
            input.invalid(message.apply(input.node().size()), remedy);
        } else {
            input.node().fields().forEachRemaining(one -> {
                String at = fields.pointer(one.getKey());
                JsonNode name = JsonNodeFactory.instance.textNode(one.getKey());
                key.read(new JsonInput(name, at, input.problems()))
                        .flatMap(valid -> value.read(new JsonInput(one.getValue(), at, input.problems())))
                        .ifPresent(read -> values.put(one.getKey(), read));
            });
        }
        return input.problems().size() > before ? Optional.empty() : Optional.of(values);
    }

    @Override
    public JsonNode write(SortedMap<String, T> values) {
        ObjectNode json = JsonNodeFactory.instance.objectNode();
        values.forEach((name, one) -> json.set(name, value.write(one)));
        return json;
    }

    @Override
    public ObjectNode schema(NamedSchemas named) {
        ObjectNode schema =
                JsonNodeFactory.instance.objectNode().put("type", "object").put("maxProperties", most);
        schema.set("additionalProperties", value.schema(named));
        return schema;
    }
}
