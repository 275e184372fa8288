// SPDX-License-Identifier: Apache-2.0
package org.sextant.mobile;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import org.sextant.core.intent.CompileContext;
import org.sextant.core.intent.NumberedIntent;
import org.sextant.core.intent.Plan;
import org.sextant.core.json.BoundedJson;
import org.sextant.core.net.Network;
import org.sextant.core.net.NetworkFile;
import org.sextant.mobile.slice.SliceKind;

/** Slices in the network of the uSID paper's Figure 4. */
public final class Mobile {
    public static final Network FIG4 = network("fig4.json");

    private Mobile() {}

    public static Network network(String file) {
        try {
            return NetworkFile.parse(Files.readAllBytes(Path.of("../../lab").resolve(file)))
                    .orThrow();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    public static JsonNode json(String text) {
        return new BoundedJson(1 << 20, 32).read(text.replace('\'', '"').getBytes(StandardCharsets.UTF_8));
    }

    /** A slice between l1 and l3 of Figure 4, IPv4; {@code more} are further fields, each with a comma in front. */
    public static String between(String more) {
        return "{'name': 's', 'access': {'gateway': 'l1', 'gnbs': ['192.0.2.0/24']},"
                + " 'core': {'gateway': 'l3', 'upfs': ['198.51.100.1']}" + more + "}";
    }

    /** A slice with an anchor at l3. */
    public static String anchored(String more) {
        return between(more).replace("'core': {'gateway'", "'core': {'anchor'");
    }

    /** A slice over IPv6. */
    public static String six(String slice) {
        return slice.replace("192.0.2.0/24", "2001:db8:b::/48").replace("198.51.100.1", "2001:db8:f::1");
    }

    public static Slice slice(String text) {
        return SliceShape.SLICE.decode(json(text));
    }

    public static Session session(String text) {
        return SessionShape.in("s").decode(json(text));
    }

    public static Plan plan(String text) {
        return plan(text, FIG4);
    }

    public static Plan plan(String text, Network network) {
        return new SliceKind()
                .compile(new NumberedIntent<>("s", 7, slice(text)), new CompileContext(network, Map.of()));
    }
}
