// SPDX-License-Identifier: Apache-2.0
package org.sextant.core.replay;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.lang.reflect.Constructor;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.ParameterizedType;
import java.lang.reflect.RecordComponent;
import java.lang.reflect.Type;
import java.lang.reflect.WildcardType;
import java.math.BigInteger;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.OptionalLong;
import java.util.Set;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.Function;
import org.sextant.core.net.Network;
import org.sextant.core.table.Entry;
import org.sextant.core.table.TableCodec;
import org.sextant.core.table.TableEntry;

/**
 * Immutable values to JSON and back, by their components: records, collections, optionals, enums, numbers, texts, times. A record
 * that stands for an interface has its class beside its components. An optional is a list of none or one, as it may be empty in
 * another one.
 *
 * <p>Written by hand, because the Jackson of ONOS 2.7 (2.11) has no records.
 */
final class RecordCodec {
    private static final String CLASS = "@";
    private static final JsonNodeFactory JSON = JsonNodeFactory.instance;

    /** Values that are one text. */
    private static final Map<Class<?>, Function<String, Object>> TEXTS = Map.of(
            String.class, text -> text,
            Instant.class, Instant::parse,
            Duration.class, Duration::parse,
            BigInteger.class, BigInteger::new);

    private RecordCodec() {}

    /** @throws IllegalArgumentException if a value has no such form */
    static JsonNode encode(Object value) {
        return encode(value, Object.class);
    }

    private static JsonNode encode(Object value, Class<?> declared) {
        if (value instanceof JsonNode json) {
            return json;
        }
        if (TEXTS.containsKey(value.getClass())) {
            return JSON.textNode(value.toString());
        }
        if (value instanceof Enum<?> constant) {
            return JSON.textNode(constant.name());
        }
        if (value instanceof Boolean flag) {
            return JSON.booleanNode(flag);
        }
        if (value instanceof Double number) {
            return JSON.numberNode(number);
        }
        if (value instanceof Number number) {
            return JSON.numberNode(number.longValue());
        }
        if (value instanceof Entry entry) {
            return encode(TableCodec.encode(entry), TableEntry.class);
        }
        if (value instanceof Network network) {
            return encode(network.parts(), Network.Parts.class);
        }
        if (value instanceof Record) {
            return record(value, declared);
        }
        return container(value);
    }

    private static JsonNode record(Object value, Class<?> declared) {
        ObjectNode json = JSON.objectNode();
        if (declared.isInterface()) {
            json.put(CLASS, value.getClass().getSimpleName());
        }
        for (RecordComponent component : value.getClass().getRecordComponents()) {
            json.set(component.getName(), encode(component(value, component), component.getType()));
        }
        return json;
    }

    private static Object component(Object value, RecordComponent component) {
        try {
            component.getAccessor().setAccessible(true);
            return component.getAccessor().invoke(value);
        } catch (IllegalAccessException | InvocationTargetException e) {
            throw new IllegalArgumentException("no value of " + component, e);
        }
    }

    private static JsonNode container(Object value) {
        ArrayNode json = JSON.arrayNode();
        if (value instanceof Optional<?> optional) {
            optional.ifPresent(one -> json.add(encode(one, declared(one))));
        } else if (value instanceof OptionalInt optional) {
            optional.ifPresent(json::add);
        } else if (value instanceof OptionalLong optional) {
            optional.ifPresent(json::add);
        } else if (value instanceof Set<?> && !(value instanceof SortedSet<?>)) {
            elements((Collection<?>) value)
                    .sorted(Comparator.comparing(JsonNode::toString))
                    .forEach(json::add);
        } else if (value instanceof Collection<?> list) {
            elements(list).forEach(json::add);
        } else if (value instanceof Map<?, ?> map) {
            map.entrySet().stream()
                    .map(entry -> JSON.arrayNode()
                            .add(encode(entry.getKey(), declared(entry.getKey())))
                            .add(encode(entry.getValue(), declared(entry.getValue()))))
                    .sorted(Comparator.comparing(pair -> pair.get(0).toString()))
                    .forEach(json::add);
        } else {
            throw new IllegalArgumentException("no form for " + value.getClass());
        }
        return json;
    }

    private static java.util.stream.Stream<JsonNode> elements(Collection<?> values) {
        return values.stream().map(value -> encode(value, declared(value)));
    }

    /** In a container, a record of a sealed interface stands for that. */
    private static Class<?> declared(Object value) {
        for (Class<?> type : value.getClass().getInterfaces()) {
            if (type.isSealed()) {
                return type;
            }
        }
        return value.getClass();
    }

    /** @throws IllegalArgumentException if it is no form of such a value */
    static Object decode(JsonNode json, Type type) {
        if (type instanceof ParameterizedType generic) {
            return container(json, (Class<?>) generic.getRawType(), generic.getActualTypeArguments());
        }
        if (type instanceof WildcardType wildcard) {
            return decode(json, wildcard.getUpperBounds()[0]);
        }
        return value(json, (Class<?>) type);
    }

    private static Object value(JsonNode json, Class<?> type) {
        if (TEXTS.containsKey(type)) {
            return TEXTS.get(type).apply(json.textValue());
        }
        if (type.isEnum()) {
            return constant(json.textValue(), type);
        }
        if (type == int.class || type == Integer.class) {
            return json.intValue();
        }
        if (type == long.class || type == Long.class) {
            return json.longValue();
        }
        if (type == double.class) {
            return json.doubleValue();
        }
        if (type == boolean.class || type == Boolean.class) {
            return json.booleanValue();
        }
        if (type == OptionalInt.class) {
            return json.isEmpty()
                    ? OptionalInt.empty()
                    : OptionalInt.of(json.get(0).intValue());
        }
        if (type == OptionalLong.class) {
            return json.isEmpty()
                    ? OptionalLong.empty()
                    : OptionalLong.of(json.get(0).longValue());
        }
        if (type == Entry.class) {
            return TableCodec.decode((TableEntry) value(json, TableEntry.class));
        }
        if (type == Network.class) {
            return Network.of((Network.Parts) value(json, Network.Parts.class));
        }
        return type == JsonNode.class || type == Object.class ? json : record(json, implementation(json, type));
    }

    private static Object constant(String name, Class<?> type) {
        for (Object constant : type.getEnumConstants()) {
            if (((Enum<?>) constant).name().equals(name)) {
                return constant;
            }
        }
        throw new IllegalArgumentException(type + " has no " + name);
    }

    private static Class<?> implementation(JsonNode json, Class<?> type) {
        return type.isSealed()
                ? permitted(type)
                        .filter(one ->
                                one.getSimpleName().equals(json.path(CLASS).asText()))
                        .findFirst()
                        .orElseThrow(() -> new IllegalArgumentException("no " + type + " in " + json))
                : type;
    }

    private static java.util.stream.Stream<Class<?>> permitted(Class<?> type) {
        return java.util.Arrays.stream(type.getPermittedSubclasses())
                .flatMap(one -> one.isSealed() ? permitted(one) : java.util.stream.Stream.of(one));
    }

    private static Object record(JsonNode json, Class<?> type) {
        RecordComponent[] components = type.getRecordComponents();
        if (components == null) {
            throw new IllegalArgumentException("no form for " + type);
        }
        Class<?>[] types = new Class<?>[components.length];
        Object[] values = new Object[components.length];
        for (int i = 0; i < components.length; i++) {
            types[i] = components[i].getType();
            JsonNode value = json.get(components[i].getName());
            if (value == null) {
                throw new IllegalArgumentException(type + " without " + components[i].getName());
            }
            values[i] = decode(value, components[i].getGenericType());
        }
        try {
            Constructor<?> constructor = type.getDeclaredConstructor(types);
            constructor.setAccessible(true);
            return constructor.newInstance(values);
        } catch (ReflectiveOperationException e) {
            throw new IllegalArgumentException("no " + type + " of " + json, e);
        }
    }

    private static Object container(JsonNode json, Class<?> type, Type[] arguments) {
        if (type == Optional.class) {
            return json.isEmpty() ? Optional.empty() : Optional.of(decode(json.get(0), arguments[0]));
        }
        if (type == List.class || type == Collection.class) {
            return fill(new ArrayList<>(), json, arguments[0]);
        }
        if (type == SortedSet.class) {
            return fill(new TreeSet<>(), json, arguments[0]);
        }
        if (type == Set.class) {
            return fill(new LinkedHashSet<>(), json, arguments[0]);
        }
        if (type == Map.class || type == SortedMap.class) {
            Map<Object, Object> map = type == Map.class ? new LinkedHashMap<>() : new TreeMap<>();
            json.forEach(pair -> map.put(decode(pair.get(0), arguments[0]), decode(pair.get(1), arguments[1])));
            return map;
        }
        return record(json, type);
    }

    private static <C extends Collection<Object>> C fill(C values, JsonNode json, Type element) {
        json.forEach(one -> values.add(decode(one, element)));
        return values;
    }
}
