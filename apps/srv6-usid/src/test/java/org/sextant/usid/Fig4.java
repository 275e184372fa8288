// SPDX-License-Identifier: Apache-2.0
package org.sextant.usid;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.function.UnaryOperator;
import org.sextant.core.Problem;
import org.sextant.core.ProblemException;
import org.sextant.core.intent.CompileContext;
import org.sextant.core.intent.NumberedIntent;
import org.sextant.core.intent.Plan;
import org.sextant.core.json.BoundedJson;
import org.sextant.core.net.Host;
import org.sextant.core.net.Link;
import org.sextant.core.net.Network;
import org.sextant.core.net.NetworkFile;
import org.sextant.core.port.Capabilities;
import org.sextant.usid.plan.PolicyCompiler;
import org.sextant.usid.plan.PolicyKind;

/** The network of the uSID paper's Figure 4, and the compilation of policies in it. */
public final class Fig4 {
    public static final Path LAB = Path.of("../../lab");
    public static final Network NETWORK = network();

    private Fig4() {}

    private static Network network() {
        try {
            return NetworkFile.parse(Files.readAllBytes(LAB.resolve("fig4.json")))
                    .orThrow();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    public static JsonNode json(String text) {
        return new BoundedJson(1 << 20, 32).read(text.replace('\'', '"').getBytes(StandardCharsets.UTF_8));
    }

    public static Policy policy(String text) {
        return PolicyShape.POLICY.decode(json(text));
    }

    public static PolicyKind kind() {
        return new PolicyKind(new PolicyCompiler());
    }

    public static Plan plan(String text) {
        return plan(text, NETWORK, Map.of());
    }

    public static Plan plan(String text, Network network, Map<String, Capabilities> capabilities) {
        return kind().explain(new NumberedIntent<>("test", 7, policy(text)), new CompileContext(network, capabilities));
    }

    /** The problems of reading or of compiling. */
    public static List<Problem> problems(String text) {
        return problems(text, NETWORK, Map.of());
    }

    public static List<Problem> problems(String text, Network network, Map<String, Capabilities> capabilities) {
        try {
            return plan(text, network, capabilities).problems();
        } catch (ProblemException e) {
            return e.problems();
        }
    }

    /** The network with every link changed. */
    public static Network withLinks(UnaryOperator<Link> change) {
        return new Network(
                NETWORK.nodes().values(),
                NETWORK.links().stream().map(change).toList(),
                NETWORK.hosts().values());
    }

    public static Network withHosts(UnaryOperator<Host> change) {
        return new Network(
                NETWORK.nodes().values(),
                NETWORK.links(),
                NETWORK.hosts().values().stream().map(change).toList());
    }

    public static boolean joins(Link link, String a, String b) {
        return List.of(a, b).containsAll(List.of(link.from().node(), link.to().node()));
    }

    public static Link down(Link link) {
        return link.withUp(false);
    }

    public static Link mtu(Link link, int mtuBytes) {
        return link.withMtuBytes(mtuBytes);
    }

    public static Link metric(Link link, int igpMetric) {
        return new Link(
                link.from(),
                link.to(),
                igpMetric,
                link.teMetric(),
                link.delayMicros(),
                link.mtuBytes(),
                link.srlgs(),
                link.affinities(),
                link.up());
    }
}
