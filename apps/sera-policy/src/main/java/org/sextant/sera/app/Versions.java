// SPDX-License-Identifier: Apache-2.0
package org.sextant.sera.app;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.List;
import java.util.OptionalInt;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.sextant.core.Problem;
import org.sextant.core.ProblemException;
import org.sextant.core.json.Fields;
import org.sextant.sera.Firewall;
import org.sextant.sera.FirewallShape;
import org.sextant.sera.Versioned;

/** The versions of a firewall. */
final class Versions {
    private Versions() {}

    static ArrayNode of(Versioned firewall) {
        ArrayNode all = JsonNodeFactory.instance.arrayNode();
        add(all, firewall.version(), firewall.at(), firewall.firewall());
        List<Versioned.Earlier> earlier = firewall.earlier();
        for (int i = earlier.size() - 1; i >= 0; i--) {
            add(
                    all,
                    earlier.get(i).version(),
                    earlier.get(i).at(),
                    earlier.get(i).firewall());
        }
        return all;
    }

    private static void add(ArrayNode all, int version, String at, Firewall firewall) {
        ObjectNode one = all.addObject().put("version", version);
        if (!at.isEmpty()) {
            one.put("at", at);
        }
        one.set("firewall", FirewallShape.FIREWALL.write(firewall));
    }

    /** @throws ProblemException if the text is no number of a version */
    static OptionalInt parse(@Nullable String text) {
        if (text == null) {
            return OptionalInt.empty();
        }
        if (!text.matches("[1-9][0-9]{0,7}")) {
            throw new ProblemException(new Problem(
                    Problem.Code.INVALID,
                    "/version",
                    "\"" + Fields.shorten(text) + "\" is no version",
                    "give the number of one: GET …/versions has them"));
        }
        return OptionalInt.of(Integer.parseInt(text));
    }

    /** @param version empty: the version before the present one */
    static Versioned earlier(Versioned firewall, OptionalInt version) {
        int wanted = version.orElse(firewall.version() - 1);
        return firewall.version(wanted)
                .map(found -> Versioned.first(found, ""))
                .orElseThrow(() -> new ProblemException(new Problem(
                        Problem.Code.UNKNOWN,
                        "/version",
                        wanted < 1 ? "there is no earlier version" : "version " + wanted + " is not kept",
                        "the versions are "
                                + of(firewall).findValuesAsText("version").stream()
                                        .collect(Collectors.joining(", ")))));
    }
}
