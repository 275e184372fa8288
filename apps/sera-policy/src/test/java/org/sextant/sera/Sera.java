// SPDX-License-Identifier: Apache-2.0
package org.sextant.sera;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Collectors;
import org.sextant.core.ProblemException;
import org.sextant.core.json.BoundedJson;
import org.sextant.core.net.Network;
import org.sextant.core.net.NetworkFile;

/** Firewalls in the network of the uSID paper's Figure 4. */
public final class Sera {
    public static final Network FIG4 = network("fig4.json");

    private Sera() {}

    static Network network(String file) {
        try {
            return NetworkFile.parse(Files.readAllBytes(Path.of("../../lab").resolve(file)))
                    .orThrow();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    public static JsonNode json(String text) {
        return new BoundedJson(8 << 20, 32).read(text.replace('\'', '"').getBytes(StandardCharsets.UTF_8));
    }

    /** A firewall fw on l2; {@code more} are further fields, each with a comma in front. */
    public static String firewall(String more, String... rules) {
        return "{'name': 'fw', 'node': 'l2'" + more + ", 'rules': [" + String.join(", ", rules) + "]}";
    }

    public static Firewall decoded(String more, String... rules) {
        return FirewallShape.FIREWALL.decode(json(firewall(more, rules)));
    }

    /** The fields and messages of all problems. */
    static List<String> problems(String text) {
        try {
            FirewallShape.FIREWALL.decode(json(text));
            return List.of();
        } catch (ProblemException e) {
            return e.problems().stream()
                    .map(problem -> problem.field() + ": " + problem.message())
                    .collect(Collectors.toList());
        }
    }
}
