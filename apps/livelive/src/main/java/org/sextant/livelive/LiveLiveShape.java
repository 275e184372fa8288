// SPDX-License-Identifier: Apache-2.0
package org.sextant.livelive;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.sextant.core.json.Fields;
import org.sextant.core.json.JsonInput;
import org.sextant.core.shape.Elements;
import org.sextant.core.shape.Field;
import org.sextant.core.shape.FieldGroup;
import org.sextant.core.shape.IntegerNumber;
import org.sextant.core.shape.ObjectShape;
import org.sextant.core.shape.OneOf;
import org.sextant.core.shape.Shape;
import org.sextant.core.shape.Text;
import org.sextant.core.shape.Values;
import org.sextant.core.shape.Word;
import org.sextant.kit.Endpoint;
import org.sextant.kit.Family;
import org.sextant.kit.Metadata;
import org.sextant.livelive.path.DisjointPaths;
import org.sextant.livelive.path.Disjointness;

/** The declaration of flows. Defaults are written, so that stored flows keep their meaning if a default changes. */
public final class LiveLiveShape {
    private static final String AS_MANY = "disjoint";
    private static final int MOST_HOPS = 64;
    private static final Map<Integer, String> PROTOCOLS = Map.of(Traffic.TCP, "tcp", Traffic.UDP, "udp");

    private static final Text<Endpoint> END =
            Text.parsed(Endpoint::parse, "give a host's name, an address or a prefix");
    private static final Text<String> NODE =
            Text.matching("[A-Za-z0-9][A-Za-z0-9._-]{0,62}", "is not a node's name", "give a node's name");

    private static final Shape<Integer> PROTOCOL_NUMBER = OneOf.<Integer>otherwise(
                    node -> Fields.describe(node) + ", which is no IP protocol",
                    "write \"tcp\", \"udp\" or a number from 0 to 255")
            .form(
                    Word.of(List.of(Traffic.TCP, Traffic.UDP), PROTOCOLS::get),
                    number -> number,
                    number -> Optional.of(number).filter(PROTOCOLS::containsKey))
            .form(IntegerNumber.between(0, 255), number -> number, Optional::of);

    /** A node, or the link from the node before it to the one behind it. */
    private static final Text<String> HOP = Text.matching(
            "[A-Za-z0-9][A-Za-z0-9._/-]{0,160}",
            "is neither a node nor a link",
            "give a node, or a link such as a/1-b/2");

    private static final Elements<String> PATH = Elements.of(HOP)
            .sized(
                    2,
                    MOST_HOPS,
                    count -> "a path is a list of 2 to " + MOST_HOPS + " nodes, not a list",
                    count -> "write [\"ingress\", …, \"egress\"]")
            .otherwise(
                    node -> "a path is a list of 2 to " + MOST_HOPS + " nodes, not " + Fields.describe(node),
                    "write [\"ingress\", …, \"egress\"]")
            .rule(LiveLiveShape::hops);

    /** Disjointness and shortfall are fields of their own: {@link #wish} joins them. */
    private static final Shape<PathRequest> WISH = OneOf.<PathRequest>otherwise(
                    node -> Fields.describe(node) + ", which says neither how many nor which",
                    "write a number from 2 to " + DisjointPaths.MOST + ", \"" + AS_MANY + "\", or a list of paths")
            .form(
                    IntegerNumber.between(2, DisjointPaths.MOST),
                    LiveLiveShape::found,
                    wish -> found(wish).map(PathRequest.Found::paths).filter(paths -> paths != PathRequest.Found.ALL))
            .form(
                    Word.of(List.of(AS_MANY), word -> word),
                    word -> found(PathRequest.Found.ALL),
                    wish -> found(wish).map(found -> AS_MANY))
            .form(
                    JsonNode::isArray,
                    Elements.of(PATH)
                            .sized(
                                    2,
                                    DisjointPaths.MOST,
                                    count -> count + " paths are given",
                                    count -> "list 2 to " + DisjointPaths.MOST + " of them")
                            .rule(LiveLiveShape::different),
                    PathRequest.Given::new,
                    wish -> wish instanceof PathRequest.Given given ? Optional.of(given.paths()) : Optional.empty());

    private static final Field<LiveLive, Optional<String>> NAME = Field.optional(
            "name",
            "becomes the id",
            Text.parsed(
                            LiveLiveShape::name,
                            "begin with a letter, go on with letters, digits, '.', '_', '-', 63 at most")
                    .described("[A-Za-z][A-Za-z0-9._-]{0,62}"),
            LiveLive::name);
    private static final Field<LiveLive, Endpoint> FROM = Field.required(
            "from",
            "the source: a host's name, an address or a prefix",
            END,
            "give a host's name, an address or a prefix",
            LiveLive::from);
    private static final Field<LiveLive, Endpoint> TO = Field.required(
            "to",
            "the destination: a host's name, an address or a prefix",
            END,
            "give a host's name, an address or a prefix",
            LiveLive::to);
    private static final Field<LiveLive, Optional<Integer>> PROTOCOL = Field.optional(
            "protocol",
            "the IP protocol behind extension headers, by name or number; absent: any",
            PROTOCOL_NUMBER,
            flow -> flow.traffic().protocol());
    private static final Field<LiveLive, Optional<Integer>> SOURCE_PORT = Field.optional(
            "sourcePort",
            "of TCP or UDP; absent: any",
            IntegerNumber.between(1, 65535),
            flow -> flow.traffic().sourcePort());
    private static final Field<LiveLive, Optional<Integer>> DESTINATION_PORT = Field.optional(
            "destinationPort",
            "of TCP or UDP; absent: any",
            IntegerNumber.between(1, 65535),
            flow -> flow.traffic().destinationPort());
    private static final Field<LiveLive, Optional<Family>> FAMILY = Field.optional(
            "family",
            "the address family of the packets; absent: all that both ends have",
            Word.of(List.of(Family.values()), Family::spelling),
            LiveLive::family);
    private static final Field<LiveLive, Boolean> SYMMETRIC = Field.standard(
            "symmetry",
            "symmetric: packets of the reverse direction are copied, too, over the same paths in reverse",
            Word.either("symmetric", "one-way"),
            false,
            LiveLive::symmetric);
    private static final Field<LiveLive, PathRequest> PATHS = Field.required(
            "paths",
            "how many, \"disjoint\" for as many as are, or which",
            WISH,
            "write a number from 2 to " + DisjointPaths.MOST + ", \"" + AS_MANY
                    + "\" for as many as are disjoint, or list the paths",
            LiveLive::wish);
    private static final Field<LiveLive, Optional<Disjointness>> DISJOINTNESS = Field.optional(
            "disjoint",
            "the elements that the paths do not share; absent: node; not with listed paths",
            Word.of(List.of(Disjointness.values()), Disjointness::spelling),
            flow -> found(flow.wish()).map(PathRequest.Found::disjointness));
    private static final Field<LiveLive, Optional<Shortfall>> SHORTFALL = Field.optional(
            "shortfall",
            "what becomes of a flow for which there are fewer paths, relax where it is absent; not with listed paths",
            Word.of(List.of(Shortfall.values()), Shortfall::spelling),
            flow -> found(flow.wish()).map(PathRequest.Found::shortfall));
    private static final Field<LiveLive, Optional<String>> INGRESS = Field.optional(
            "ingress", "the node that copies; absent: where the source is attached", NODE, LiveLive::ingress);
    private static final Field<LiveLive, Optional<String>> EGRESS = Field.optional(
            "egress", "the node that merges; absent: where the destination is attached", NODE, LiveLive::egress);
    private static final FieldGroup<LiveLive, Metadata> METADATA = Metadata.fields(LiveLive::metadata);

    public static final ObjectShape<LiveLive> FLOW = ObjectShape.of(
                    "a flow to be copied over several paths",
                    List.of(
                            NAME,
                            FROM,
                            TO,
                            PROTOCOL,
                            SOURCE_PORT,
                            DESTINATION_PORT,
                            FAMILY,
                            SYMMETRIC,
                            PATHS,
                            DISJOINTNESS,
                            SHORTFALL,
                            INGRESS,
                            EGRESS,
                            METADATA),
                    LiveLiveShape::flow)
            .rule(LiveLiveShape::portsOfTcpOrUdp)
            .rule(LiveLiveShape::termsOfFoundPaths)
            .named("Flow");

    private LiveLiveShape() {}

    private static LiveLive flow(Values<LiveLive> values) {
        return new LiveLive(
                values.get(NAME),
                values.get(FROM),
                values.get(TO),
                new Traffic(values.get(PROTOCOL), values.get(SOURCE_PORT), values.get(DESTINATION_PORT)),
                values.get(FAMILY),
                values.get(SYMMETRIC),
                wish(values),
                values.get(INGRESS),
                values.get(EGRESS),
                values.get(METADATA));
    }

    private static PathRequest wish(Values<LiveLive> values) {
        return found(values.get(PATHS))
                .<PathRequest>map(found -> new PathRequest.Found(
                        found.paths(),
                        values.get(DISJOINTNESS).orElse(found.disjointness()),
                        values.get(SHORTFALL).orElse(found.shortfall())))
                .orElse(values.get(PATHS));
    }

    /** A choice with the default terms. A flow over all disjoint paths has no shortfall. */
    private static PathRequest.Found found(int paths) {
        return new PathRequest.Found(
                paths, Disjointness.NODE, paths == PathRequest.Found.ALL ? Shortfall.OFFER : Shortfall.RELAX);
    }

    private static Optional<PathRequest.Found> found(PathRequest wish) {
        return wish instanceof PathRequest.Found found ? Optional.of(found) : Optional.empty();
    }

    private static String name(String text) {
        LiveLive.checkName(text);
        return text;
    }

    private static void portsOfTcpOrUdp(Values<LiveLive> values) {
        boolean source = values.given(SOURCE_PORT).isPresent();
        boolean ports = source || values.given(DESTINATION_PORT).isPresent();
        if (ports && values.given(PROTOCOL).filter(PROTOCOLS::containsKey).isEmpty()) {
            values.invalid(
                    source ? SOURCE_PORT : DESTINATION_PORT,
                    "only TCP and UDP have ports",
                    "write \"protocol\": \"tcp\" or \"udp\", or leave the ports out");
        }
    }

    private static void termsOfFoundPaths(Values<LiveLive> values) {
        boolean listed = values.node(PATHS).filter(JsonNode::isArray).isPresent();
        if (listed && (values.has(DISJOINTNESS) || values.has(SHORTFALL))) {
            values.invalid(
                    values.has(DISJOINTNESS) ? DISJOINTNESS : SHORTFALL,
                    "the paths are given, none is looked for",
                    "leave it out, or write a number of paths");
        }
        boolean all = values.find(PATHS)
                .flatMap(LiveLiveShape::found)
                .filter(found -> found.paths() == PathRequest.Found.ALL)
                .isPresent();
        if (all
                && values.given(SHORTFALL)
                        .filter(given -> given != Shortfall.OFFER)
                        .isPresent()) {
            values.invalid(
                    SHORTFALL,
                    "as many paths as are disjoint never fall short",
                    "leave it out, or write a number of paths");
        }
    }

    private static void different(List<Optional<List<String>>> paths, List<JsonInput> inputs) {
        for (int i = 1; i < paths.size(); i++) {
            if (paths.get(i).isPresent() && paths.subList(0, i).contains(paths.get(i))) {
                inputs.get(i).invalid("this path is listed twice", "list it once");
            }
        }
    }

    /** Reports only the first fault of a path, which may cause the others. */
    private static void hops(List<Optional<String>> path, List<JsonInput> inputs) {
        List<String> hops = new ArrayList<>();
        for (int i = 0; i < path.size() && path.get(i).isPresent(); i++) {
            String hop = path.get(i).get();
            boolean between = i > 0 && i < path.size() - 1 && !isLink(hops.get(i - 1));
            if (isLink(hop) && !between) {
                inputs.get(i)
                        .invalid(
                                "link " + hop + " does not stand between two nodes",
                                "write the node before it and the one behind it");
                return;
            }
            if (hops.contains(hop)) {
                inputs.get(i).invalid("the path comes to " + hop + " twice", "leave the circle out");
                return;
            }
            hops.add(hop);
        }
    }

    private static boolean isLink(String hop) {
        return hop.indexOf('/') >= 0;
    }
}
