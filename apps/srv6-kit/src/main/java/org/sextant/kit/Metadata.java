// SPDX-License-Identifier: Apache-2.0
package org.sextant.kit;

import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.function.Function;
import java.util.regex.Pattern;
import org.sextant.core.json.Fields;
import org.sextant.core.shape.Field;
import org.sextant.core.shape.FieldGroup;
import org.sextant.core.shape.Keyed;
import org.sextant.core.shape.ObjectShape;
import org.sextant.core.shape.Text;

/**
 * Fields that intents of several kinds have for their users. They have no influence on plans or table entries. Immutable.
 *
 * @param labels values by key, both with the syntax of Kubernetes' labels
 */
public record Metadata(Optional<String> description, SortedMap<String, String> labels) {
    public static final Metadata NONE = new Metadata(Optional.empty(), Collections.emptySortedMap());

    private static final int MOST_LABELS = 64;
    private static final int MOST_PREFIX = 253;
    private static final int MOST_NAME = 63;

    /** Lengths are checked before: the patterns backtrack. */
    private static final Pattern NAME = Pattern.compile("[A-Za-z0-9]([A-Za-z0-9._-]*[A-Za-z0-9])?");

    private static final Pattern DNS =
            Pattern.compile("[a-z0-9]([a-z0-9-]*[a-z0-9])?(\\.[a-z0-9]([a-z0-9-]*[a-z0-9])?)*");

    private static final Field<Metadata, Optional<String>> DESCRIPTION =
            Field.optional("description", "free text for users", Text.upTo(200), Metadata::description);
    private static final Field<Metadata, SortedMap<String, String>> LABELS = Field.standard(
                    "labels",
                    "values by key, both with the syntax of Kubernetes' labels",
                    Keyed.of(
                            Text.parsed(
                                    Metadata::key,
                                    "use letters, digits, '.', '_', '-', 63 at most, behind a DNS name and '/' if it has"
                                            + " a prefix"),
                            Text.parsed(
                                    Metadata::value,
                                    "use letters, digits, '.', '_', '-', 63 at most, the first and the last one"
                                            + " a letter or digit"),
                            MOST_LABELS,
                            count -> count + " labels are given",
                            "give " + MOST_LABELS + " at most"),
                    Collections.<String, String>emptySortedMap(),
                    Metadata::labels)
            .writtenUnlessDefault();
    private static final ObjectShape<Metadata> METADATA = ObjectShape.of(
            "fields for users",
            List.of(DESCRIPTION, LABELS),
            values -> new Metadata(values.get(DESCRIPTION), values.get(LABELS)));

    public Metadata {
        labels = Collections.unmodifiableSortedMap(new TreeMap<>(labels));
    }

    /** Fields of {@code O} itself, beside its other ones. */
    public static <O> FieldGroup<O, Metadata> fields(Function<O, Metadata> getter) {
        return FieldGroup.of(METADATA, getter);
    }

    /** @throws IllegalArgumentException if the text is no key */
    public static String key(String text) {
        int slash = text.indexOf('/');
        if (slash >= 0 && !matches(DNS, MOST_PREFIX, text.substring(0, slash))
                || !matches(NAME, MOST_NAME, text.substring(slash + 1))) {
            throw new IllegalArgumentException("\"" + Fields.shorten(text) + "\" is no key of a label");
        }
        return text;
    }

    /** @throws IllegalArgumentException if the text is no value */
    public static String value(String text) {
        if (!text.isEmpty() && !matches(NAME, MOST_NAME, text)) {
            throw new IllegalArgumentException("\"" + Fields.shorten(text) + "\" is no value of a label");
        }
        return text;
    }

    private static boolean matches(Pattern pattern, int most, String text) {
        return text.length() <= most && pattern.matcher(text).matches();
    }
}
