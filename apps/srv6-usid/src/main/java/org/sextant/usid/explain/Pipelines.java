// SPDX-License-Identifier: Apache-2.0
package org.sextant.usid.explain;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import org.sextant.core.net.Network;
import org.sextant.core.net.Node;
import org.sextant.core.port.Capabilities;

/**
 * What nodes can do by the pipeline that the network description gives them, from the P4Info that comes with Sextant. A
 * controller asks the nodes themselves.
 */
final class Pipelines {
    private static final String PREFIX = "org.sextant.";

    private Pipelines() {}

    /** By node name; a node with a pipeline of somebody else is left out. */
    static Map<String, Capabilities> of(Network network) {
        Map<String, Optional<Capabilities>> known = new HashMap<>();
        Map<String, Capabilities> capabilities = new TreeMap<>();
        for (Node node : network.nodes().values()) {
            known.computeIfAbsent(node.pipeconf(), Pipelines::read)
                    .ifPresent(offered -> capabilities.put(node.name(), offered));
        }
        return capabilities;
    }

    private static Optional<Capabilities> read(String pipeconf) {
        if (!pipeconf.matches("org\\.sextant\\.[a-z0-9]+")) {
            return Optional.empty();
        }
        String resource = "/p4info/" + pipeconf.substring(PREFIX.length()) + ".p4info.txtpb";
        try (InputStream stream = Pipelines.class.getResourceAsStream(resource)) {
            return stream == null
                    ? Optional.empty()
                    : Optional.of(capabilities(new String(stream.readAllBytes(), StandardCharsets.UTF_8)));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    static Capabilities capabilities(String p4info) {
        TextProto info = TextProto.parse(p4info);
        Map<String, String> actions = new HashMap<>();
        info.all("actions")
                .forEach(action -> actions.put(
                        action.message("preamble").value("id").orElseThrow(),
                        action.message("preamble").value("alias").orElseThrow()));
        Map<String, Set<String>> offered = new TreeMap<>();
        Map<String, Long> sizes = new TreeMap<>();
        for (TextProto table : info.all("tables")) {
            String alias = table.message("preamble").value("alias").orElseThrow();
            Set<String> names = new TreeSet<>();
            table.all("action_refs").stream()
                    .filter(ref ->
                            ref.value("scope").filter("DEFAULT_ONLY"::equals).isEmpty())
                    .forEach(ref -> names.add(actions.get(ref.value("id").orElseThrow())));
            offered.put(alias, names);
            table.value("size").ifPresent(size -> sizes.put(alias, Long.parseLong(size)));
        }
        return new Capabilities(offered, sizes);
    }
}
