// SPDX-License-Identifier: Apache-2.0
package org.sextant.core.shape;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.function.Function;
import java.util.regex.Pattern;
import org.sextant.core.json.Fields;
import org.sextant.core.json.JsonInput;

/** A value that is written as a string. */
public final class Text<T> implements Shape<T> {
    private final Function<String, T> parse;
    private final Function<T, String> spelling;
    private final String remedy;
    private final Optional<String> pattern;
    private final OptionalInt maxLength;

    private Text(
            Function<String, T> parse,
            Function<T, String> spelling,
            String remedy,
            Optional<String> pattern,
            OptionalInt maxLength) {
        this.parse = parse;
        this.spelling = spelling;
        this.remedy = remedy;
        this.pattern = pattern;
        this.maxLength = maxLength;
    }

    /**
     * A string with a value's notation; {@code toString} of the value is its canonical form.
     *
     * @param parse its IllegalArgumentException is the message of the problem
     */
    public static <T> Text<T> parsed(Function<String, T> parse, String remedy) {
        return new Text<>(parse, Object::toString, remedy, Optional.empty(), OptionalInt.empty());
    }

    /**
     * Any string that matches as a whole.
     *
     * @param mismatch the message about another one, behind that one in quotes: {@code is no name of a peer}
     */
    public static Text<String> matching(String pattern, String mismatch, String remedy) {
        Pattern compiled = Pattern.compile(pattern);
        return new Text<>(
                text -> {
                    if (!compiled.matcher(text).matches()) {
                        throw new IllegalArgumentException("\"" + Fields.shorten(text) + "\" " + mismatch);
                    }
                    return text;
                },
                Function.identity(),
                remedy,
                Optional.of("^" + pattern + "$"),
                OptionalInt.empty());
    }

    /** Any string of at most {@code length} characters. */
    public static Text<String> upTo(int length) {
        return new Text<>(
                text -> {
                    if (text.length() > length) {
                        throw new IllegalArgumentException(
                                "the text has " + text.length() + " characters, more than " + length);
                    }
                    return text;
                },
                Function.identity(),
                "write " + length + " characters at most",
                Optional.empty(),
                OptionalInt.of(length));
    }

    /** With another canonical form than {@code toString}. */
    public Text<T> spelled(Function<T, String> other) {
        return new Text<>(parse, other, remedy, pattern, maxLength);
    }

    /** With a pattern for the schema, of a text that its parser checks. */
    public Text<T> described(String whole) {
        return new Text<>(parse, spelling, remedy, Optional.of("^" + whole + "$"), maxLength);
    }

    @Override
    public Optional<T> read(JsonInput input) {
        return input.parsed(remedy, parse);
    }

    /** As {@link #read(JsonInput)}, of {@code text} instead of the value. */
    Optional<T> read(JsonInput input, String text) {
        return input.parse(text, remedy, parse);
    }

    @Override
    public JsonNode write(T value) {
        return JsonNodeFactory.instance.textNode(spelling.apply(value));
    }

    @Override
    public ObjectNode schema(NamedSchemas named) {
        ObjectNode schema = JsonNodeFactory.instance.objectNode().put("type", "string");
        pattern.ifPresent(given -> schema.put("pattern", given));
        maxLength.ifPresent(most -> schema.put("maxLength", most));
        return schema;
    }
}
