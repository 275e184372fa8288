// SPDX-License-Identifier: Apache-2.0
package org.sextant.livelive;

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
import org.sextant.core.intent.Allocation;
import org.sextant.core.intent.CompileContext;
import org.sextant.core.intent.NumberedIntent;
import org.sextant.core.intent.Plan;
import org.sextant.core.json.BoundedJson;
import org.sextant.core.net.Link;
import org.sextant.core.net.Network;
import org.sextant.core.net.NetworkFile;
import org.sextant.core.port.Capabilities;
import org.sextant.livelive.plan.LiveLiveCompiler;
import org.sextant.livelive.plan.LiveLiveKind;

/** The network of the Live-Live paper's Figure 3 with six paths, and that of the uSID paper's Figure 4. */
public final class LabNetwork {
    public static final Path LAB = Path.of("../../lab");
    public static final Network SIX = network("livelive");
    public static final Network FIG4 = network("fig4");

    private LabNetwork() {}

    private static Network network(String name) {
        try {
            return NetworkFile.parse(Files.readAllBytes(LAB.resolve(name + ".json")))
                    .orThrow();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Single quotes stand for double ones. */
    public static JsonNode json(String text) {
        return new BoundedJson(1 << 20, 32).read(text.replace('\'', '"').getBytes(StandardCharsets.UTF_8));
    }

    public static LiveLive flow(String text) {
        return LiveLiveShape.FLOW.decode(json(text));
    }

    public static LiveLiveCompiler compiler() {
        return new LiveLiveCompiler();
    }

    public static Plan plan(String text, Network network) {
        return plan(text, network, Map.of(), false);
    }

    /** The plan of intent number 7, with groups 5, 6 and windows 3, 4. */
    public static Plan plan(String text, Network network, Map<String, Capabilities> capabilities, boolean admission) {
        LiveLive flow = flow(text);
        List<Allocation> grants = new LiveLiveKind(compiler())
                .granted(json("{'numbers':[{'group':5,'window':3},{'group':6,'window':4}]}"));
        NumberedIntent<LiveLive> intent = new NumberedIntent<>("test", 7, flow, grants);
        CompileContext context = new CompileContext(network, capabilities);
        return admission ? compiler().admit(intent, context) : compiler().compile(intent, context);
    }

    /** The problems of reading or of admission. */
    public static List<Problem> problems(String text, Network network) {
        try {
            return plan(text, network, Map.of(), true).problems();
        } catch (ProblemException e) {
            return e.problems();
        }
    }

    public static Network withLinks(Network network, UnaryOperator<Link> change) {
        return new Network(
                network.nodes().values(),
                network.links().stream().map(change).toList(),
                network.hosts().values());
    }

    /** Both directions of the links between these two are down. */
    public static Network without(Network network, String a, String b) {
        return withLinks(network, link -> joins(link, a, b) ? changed(link, link.igpMetric(), false) : link);
    }

    public static boolean joins(Link link, String a, String b) {
        return List.of(a, b).containsAll(List.of(link.from().node(), link.to().node()));
    }

    public static Link changed(Link link, int metric, boolean up) {
        return new Link(
                link.from(),
                link.to(),
                metric,
                link.teMetric(),
                link.delayMicros(),
                link.mtuBytes(),
                link.srlgs(),
                link.affinities(),
                up);
    }
}
