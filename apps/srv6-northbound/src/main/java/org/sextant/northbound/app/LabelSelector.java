// SPDX-License-Identifier: Apache-2.0
package org.sextant.northbound.app;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.sextant.core.Problem;
import org.sextant.core.ProblemException;
import org.sextant.core.json.Fields;
import org.sextant.kit.Metadata;

/**
 * A selector of Kubernetes' labels: {@code key=value}, {@code key!=value}, {@code key} and {@code !key}, joined by commas.
 * All of its requirements are met.
 */
public record LabelSelector(List<Requirement> requirements) {
    private static final Pattern REQUIREMENT = Pattern.compile("(!?)([^=!]+)(?:(!=|==?)([^=!]*))?");

    public LabelSelector {
        requirements = List.copyOf(requirements);
    }

    /**
     * A requirement on the value of a key.
     *
     * @param value empty: the key has any value
     * @param negated true if labels match that do not meet it; an absent key differs from every value
     */
    private record Requirement(String key, Optional<String> value, boolean negated) {
        boolean matches(JsonNode labels) {
            JsonNode given = labels.path(key);
            boolean met = given.isTextual()
                    && value.filter(wanted -> !wanted.equals(given.textValue())).isEmpty();
            return met != negated;
        }
    }

    /** @throws ProblemException naming the query parameter {@code label} */
    public static LabelSelector parse(String text) {
        List<Requirement> requirements = new ArrayList<>();
        for (String part : text.split(",", -1)) {
            requirements.add(requirement(part.strip()));
        }
        return new LabelSelector(requirements);
    }

    private static Requirement requirement(String part) {
        Matcher parts = REQUIREMENT.matcher(part);
        if (!parts.matches() || !parts.group(1).isEmpty() && parts.group(3) != null) {
            throw invalid("\"" + Fields.shorten(part) + "\" is no requirement on a label");
        }
        try {
            boolean negated = !parts.group(1).isEmpty() || "!=".equals(parts.group(3));
            Optional<String> value = Optional.ofNullable(parts.group(4)).map(given -> Metadata.value(given.strip()));
            return new Requirement(Metadata.key(parts.group(2).strip()), value, negated);
        } catch (IllegalArgumentException e) {
            throw invalid(String.valueOf(e.getMessage()));
        }
    }

    private static ProblemException invalid(String message) {
        return new ProblemException(new Problem(
                Problem.Code.INVALID,
                "/label",
                message,
                "write key=value, key!=value, key or !key, and a comma between several"));
    }

    /** @param intent as its app encodes it */
    boolean matches(JsonNode intent) {
        JsonNode labels = intent.path("labels");
        return requirements.stream().allMatch(one -> one.matches(labels));
    }
}
