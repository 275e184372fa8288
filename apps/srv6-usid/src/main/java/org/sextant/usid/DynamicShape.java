// SPDX-License-Identifier: Apache-2.0
package org.sextant.usid;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.Comparator;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.function.Function;
import java.util.stream.Stream;
import org.sextant.core.intent.SetupHoldPriority;
import org.sextant.core.json.Fields;
import org.sextant.core.json.JsonInput;
import org.sextant.core.net.Metric;
import org.sextant.core.shape.Elements;
import org.sextant.core.shape.Field;
import org.sextant.core.shape.FieldGroup;
import org.sextant.core.shape.Forms;
import org.sextant.core.shape.IntegerNumber;
import org.sextant.core.shape.ObjectShape;
import org.sextant.core.shape.OneOf;
import org.sextant.core.shape.Shape;
import org.sextant.core.shape.Text;
import org.sextant.core.shape.Values;
import org.sextant.core.shape.Word;
import org.sextant.kit.path.Hop;
import org.sextant.kit.path.Waypoint;
import org.sextant.usid.Candidate.Affinity;
import org.sextant.usid.Candidate.Apart;
import org.sextant.usid.Candidate.Demand;
import org.sextant.usid.Candidate.Disjointness;
import org.sextant.usid.Candidate.Dynamic;
import org.sextant.usid.Candidate.Exclude;
import org.sextant.usid.Candidate.Share;
import org.sextant.usid.Candidate.Twin;

/** The declaration of computed candidate paths. */
final class DynamicShape {
    /** The maximum number of colors, groups, excluded nodes or links: each costs a search where there is no path. */
    private static final int MOST_NAMED = 64;

    /** The maximum number of nodes and links to visit: each makes a search longer. */
    private static final int MOST_INCLUDED = 16;

    private static final long MAX_SUM = Integer.MAX_VALUE;
    private static final String NODE_REMEDY = "give a node's name, its uSID or its SID";
    private static final String LINK_REMEDY = "write p7-p6, or with ports p7/2-p6/3";

    private static final Map<Metric, Field<SortedMap<Metric, Long>, Optional<Long>>> BOUND = bounds();

    private static final Field<Affinity, List<String>> INCLUDE_ANY =
            colors("includeAny", "each link has one of them", Affinity::includeAny);
    private static final Field<Affinity, List<String>> INCLUDE_ALL =
            colors("includeAll", "each link has all of them", Affinity::includeAll);
    private static final Field<Affinity, List<String>> EXCLUDE_ANY =
            colors("excludeAny", "no link has one of them", Affinity::excludeAny);

    private static final Field<Exclude, List<Waypoint>> NODES = Field.standard(
                    "nodes",
                    "names, uSIDs or SIDs",
                    set(Text.parsed(Waypoint::new, NODE_REMEDY)),
                    List.<Waypoint>of(),
                    Exclude::nodes)
            .writtenUnlessDefault();
    private static final Field<Exclude, List<String>> LINKS = Field.standard(
                    "links",
                    "p7-p6, or with ports p7/2-p6/3",
                    set(Text.parsed(text -> new Hop.OverLink(text, false).link(), LINK_REMEDY)),
                    List.<String>of(),
                    Exclude::links)
            .writtenUnlessDefault();
    private static final Field<Exclude, List<Integer>> SRLGS = Field.standard(
                    "srlg",
                    "shared-risk link groups",
                    set(IntegerNumber.between(
                            0,
                            Integer.MAX_VALUE,
                            node -> "a group is a number of 0 or more, not " + Fields.describe(node),
                            "write its number")),
                    List.<Integer>of(),
                    Exclude::srlgs)
            .writtenUnlessDefault();

    private static final Field<Hop.ToNode, String> VISITED_NODE = Field.required(
            "node",
            "its name, uSID or SID",
            Text.parsed(text -> new Waypoint(text).text(), NODE_REMEDY),
            NODE_REMEDY,
            hop -> hop.node().text());
    private static final Field<Hop.OverLink, String> VISITED_LINK = Field.required(
            "link",
            "p7-p6, or with ports p7/2-p6/3: in this direction",
            Text.parsed(text -> new Hop.OverLink(text, true).link(), LINK_REMEDY),
            LINK_REMEDY,
            Hop.OverLink::link);
    private static final ObjectShape<Hop> VISITED_OBJECT = ObjectShape.of(
            "a node or a link",
            Forms.of(Function.<Hop>identity(), DynamicShape::nodeOrLink)
                    .form(
                            values -> values.has(VISITED_NODE) && !values.has(VISITED_LINK),
                            ObjectShape.of(
                                    "a node",
                                    List.of(VISITED_NODE),
                                    values -> new Hop.ToNode(new Waypoint(values.get(VISITED_NODE)), true)),
                            Hop.ToNode.class)
                    .form(
                            values -> values.has(VISITED_LINK) && !values.has(VISITED_NODE),
                            ObjectShape.of(
                                    "a link",
                                    List.of(VISITED_LINK),
                                    values -> new Hop.OverLink(values.get(VISITED_LINK), true)),
                            Hop.OverLink.class));
    private static final Shape<Hop> VISITED = OneOf.<Hop>otherwise(Fields::describe, NODE_REMEDY)
            .form(
                    JsonNode::isTextual,
                    Text.parsed(text -> new Hop.ToNode(new Waypoint(text), true), NODE_REMEDY),
                    Function.identity(),
                    hop -> Optional.empty())
            .form(node -> true, VISITED_OBJECT, Function.identity(), Optional::of);

    private static final Field<Optional<Demand>, Optional<Long>> BANDWIDTH = Field.optional(
            "bandwidthKbps",
            "the bandwidth that it reserves on each link that its packets may take, in kbit/s",
            new IntegerNumber(1, Demand.MAX_KBPS),
            demand -> demand.map(Demand::kbps));
    private static final Field<Optional<Demand>, Optional<Integer>> SETUP_PRIORITY = Field.optional(
            "setupPriority",
            "only with bandwidthKbps: it takes bandwidth from those whose hold priority is a larger number (RFC 3209,"
                    + " 4.7.1); absent: " + SetupHoldPriority.LOWEST,
            IntegerNumber.between(0, SetupHoldPriority.LOWEST),
            demand -> demand.map(given -> given.standing().setup()));
    private static final Field<Optional<Demand>, Optional<Integer>> HOLD_PRIORITY = Field.optional(
            "holdPriority",
            "only with bandwidthKbps: no larger a number than setupPriority; absent: equal to it",
            IntegerNumber.between(0, SetupHoldPriority.LOWEST),
            demand -> demand.map(given -> given.standing().hold()));
    private static final ObjectShape<Optional<Demand>> DEMAND_FIELDS = ObjectShape.<Optional<Demand>>of(
                    "the bandwidth to reserve",
                    List.of(BANDWIDTH, SETUP_PRIORITY, HOLD_PRIORITY),
                    values -> values.get(BANDWIDTH)
                            .map(kbps -> new Demand(
                                    kbps, new SetupHoldPriority(setupPriority(values), holdPriority(values)))))
            .rule(DynamicShape::prioritiesOfBandwidth);

    private static final Field<Twin, Long> CANDIDATE = Field.required(
            "candidate",
            "another candidate path of this policy, by its preference",
            new IntegerNumber(0, Candidate.MAX),
            "write the preference that another candidate path has",
            Twin::preference);
    private static final Field<Twin, Share> TWIN_SHARE = share();
    private static final Field<Apart, String> POLICY = Field.required(
            "policy",
            "another policy: its active path",
            Text.parsed(Function.identity(), "give the id of a policy"),
            "name a policy, or another candidate path of this one by its preference",
            Apart::policy);
    private static final Field<Apart, Share> APART_SHARE = share();
    private static final ObjectShape<Disjointness> DISJOINTNESS = ObjectShape.of(
            "a path to be disjoint from",
            Forms.of(Function.<Disjointness>identity(), values -> {})
                    .form(
                            values -> values.has(CANDIDATE),
                            ObjectShape.of(
                                    "a candidate path",
                                    List.of(CANDIDATE, TWIN_SHARE),
                                    values -> new Twin(values.get(CANDIDATE), values.get(TWIN_SHARE))),
                            Twin.class)
                    .form(
                            values -> true,
                            ObjectShape.of(
                                    "a policy",
                                    List.of(POLICY, APART_SHARE),
                                    values -> new Apart(values.get(POLICY), values.get(APART_SHARE))),
                            Apart.class));

    private static final Field<Dynamic, Metric> METRIC = Field.standard(
            "metric",
            "the metric to minimize",
            Word.of(List.of(Metric.values()), DynamicShape::name),
            Metric.IGP,
            Dynamic::metric);
    private static final Field<Dynamic, SortedMap<Metric, Long>> BOUNDS = Field.standard(
                    "bounds",
                    "upper bounds on the sums of metrics",
                    ObjectShape.of(
                            "upper bounds on the sums of metrics", List.copyOf(BOUND.values()), DynamicShape::bounds),
                    Collections.<Metric, Long>emptySortedMap(),
                    Dynamic::bounds)
            .writtenUnlessDefault();
    private static final Field<Dynamic, Affinity> AFFINITY = Field.standard(
                    "affinity",
                    "colors of links",
                    ObjectShape.of(
                                    "colors of links",
                                    List.of(INCLUDE_ANY, INCLUDE_ALL, EXCLUDE_ANY),
                                    values -> new Affinity(
                                            values.get(INCLUDE_ANY), values.get(INCLUDE_ALL), values.get(EXCLUDE_ANY)))
                            .rule(DynamicShape::noContradictions),
                    Affinity.ANY,
                    Dynamic::affinity)
            .writtenUnlessDefault();
    private static final Field<Dynamic, List<Hop>> INCLUDE = Field.standard(
                    "include",
                    "nodes and links that it visits, in this order, with anything between them",
                    Elements.of(VISITED)
                            .sized(
                                    0,
                                    MOST_INCLUDED,
                                    count -> count + " are more than " + MOST_INCLUDED,
                                    count -> "name fewer of them, or write the path down")
                            .rule(DynamicShape::noRepetition),
                    List.<Hop>of(),
                    Dynamic::include)
            .writtenUnlessDefault();
    private static final FieldGroup<Dynamic, Optional<Demand>> DEMAND = FieldGroup.of(DEMAND_FIELDS, Dynamic::demand);
    private static final Field<Dynamic, List<Disjointness>> DISJOINT_FROM = Field.standard(
                    "disjointFrom",
                    "policies from whose active paths it is disjoint, and at most one other candidate path of this policy",
                    Elements.of(DISJOINTNESS)
                            .sized(
                                    0,
                                    MOST_NAMED + 1,
                                    count -> count + " are more than " + MOST_NAMED,
                                    count -> "name fewer of them"),
                    List.<Disjointness>of(),
                    DynamicShape::disjointFrom)
            .writtenUnlessDefault();
    private static final Field<Dynamic, Exclude> EXCLUDE = Field.standard(
                    "exclude",
                    "nodes, links and groups that the path excludes",
                    ObjectShape.of(
                            "nodes, links and groups",
                            List.of(NODES, LINKS, SRLGS),
                            values -> new Exclude(values.get(NODES), values.get(LINKS), values.get(SRLGS))),
                    Exclude.NOTHING,
                    Dynamic::exclude)
            .writtenUnlessDefault();

    static final ObjectShape<Dynamic> DYNAMIC = ObjectShape.of(
                    "the path with the least sum of a metric that meets all constraints, as the fewest uSIDs",
                    List.of(METRIC, BOUNDS, AFFINITY, INCLUDE, DEMAND, DISJOINT_FROM, EXCLUDE),
                    values -> new Dynamic(
                            values.get(METRIC),
                            values.get(BOUNDS),
                            values.get(AFFINITY),
                            values.get(EXCLUDE),
                            sorted(only(Apart.class, values.get(DISJOINT_FROM))),
                            values.get(INCLUDE),
                            values.get(DEMAND),
                            only(Twin.class, values.get(DISJOINT_FROM)).stream().findFirst()))
            .rule(DynamicShape::onePathPerPolicy)
            .named("DynamicPath");

    private DynamicShape() {}

    /** The name of a metric in {@code "metric"}. */
    private static String name(Metric metric) {
        return switch (metric) {
            case IGP -> "igp";
            case TE -> "te";
            case DELAY -> "delay";
            case HOPS -> "hops";
        };
    }

    /** The name of a metric in {@code "bounds"}. */
    static String bound(Metric metric) {
        return metric == Metric.DELAY ? "delayMicros" : name(metric);
    }

    private static Map<Metric, Field<SortedMap<Metric, Long>, Optional<Long>>> bounds() {
        Map<Metric, Field<SortedMap<Metric, Long>, Optional<Long>>> fields = new EnumMap<>(Metric.class);
        Arrays.stream(Metric.values())
                .forEach(metric -> fields.put(
                        metric,
                        Field.optional(
                                bound(metric),
                                "the greatest sum of it; absent: any",
                                new IntegerNumber(1, MAX_SUM),
                                bounds -> Optional.ofNullable(bounds.get(metric)))));
        return fields;
    }

    private static SortedMap<Metric, Long> bounds(Values<SortedMap<Metric, Long>> values) {
        SortedMap<Metric, Long> bounds = new TreeMap<>();
        BOUND.forEach((metric, field) -> values.get(field).ifPresent(most -> bounds.put(metric, most)));
        return bounds;
    }

    private static Field<Affinity, List<String>> colors(
            String name, String description, Function<Affinity, List<String>> getter) {
        return Field.standard(
                        name,
                        description,
                        set(Text.parsed(DynamicShape::color, "name a color as links do")
                                .described("[\\s\\S]{1,63}")),
                        List.<String>of(),
                        getter)
                .writtenUnlessDefault();
    }

    private static String color(String text) {
        if (text.isEmpty() || text.length() > 63) {
            throw new IllegalArgumentException("a color has 1 to 63 characters");
        }
        return text;
    }

    private static <D extends Disjointness> Field<D, Share> share() {
        return Field.standard(
                "share",
                "the elements that the paths do not share: links; links and nodes; links and risk groups; all of these",
                Word.of(List.of(Share.values()), Share::spelling),
                Share.LINK,
                Disjointness::share);
    }

    /** A list without an order. */
    private static <T> Shape<List<T>> set(Shape<T> element) {
        return Elements.of(element)
                .sized(0, MOST_NAMED, count -> count + " are more than " + MOST_NAMED, count -> "name fewer of them")
                .as(DynamicShape::sorted, Function.identity());
    }

    /** Each value once, sorted by text: equal policies have equal texts. */
    private static <T> List<T> sorted(List<T> values) {
        List<T> once = new ArrayList<>(values.stream().distinct().toList());
        once.sort(Comparator.comparing(Object::toString));
        return Collections.unmodifiableList(once);
    }

    /** Reports colors that a link would have to have and not to have. */
    private static void noContradictions(Values<Affinity> values) {
        List<String> any = values.find(INCLUDE_ANY).orElse(List.of());
        List<String> all = values.find(INCLUDE_ALL).orElse(List.of());
        List<String> excluded = values.find(EXCLUDE_ANY).orElse(List.of());
        for (int i = 0; i < excluded.size(); i++) {
            String color = excluded.get(i);
            if (any.equals(List.of(color)) || all.contains(color)) {
                values.invalid(
                        EXCLUDE_ANY,
                        "/" + i,
                        "color \"" + color + "\" is included and excluded: no link can be both",
                        "name it once");
            }
        }
    }

    private static void nodeOrLink(Values<Hop> values) {
        if (values.has(VISITED_NODE) == values.has(VISITED_LINK)) {
            values.invalid("a node or a link is to be visited", "write {\"node\": \"p7\"} or {\"link\": \"p7-p6\"}");
        }
    }

    private static void noRepetition(List<Optional<Hop>> stops, List<JsonInput> inputs) {
        for (int i = 1; i < stops.size(); i++) {
            if (stops.get(i).isPresent() && stops.get(i).equals(stops.get(i - 1))) {
                inputs.get(i).invalid(stops.get(i).get() + " follows itself", "name it once");
            }
        }
    }

    /** The lowest by default. */
    private static int setupPriority(Values<Optional<Demand>> values) {
        return values.given(SETUP_PRIORITY).orElse(SetupHoldPriority.LOWEST);
    }

    /** Equal to the setup priority by default. */
    private static int holdPriority(Values<Optional<Demand>> values) {
        return values.given(HOLD_PRIORITY).orElseGet(() -> setupPriority(values));
    }

    private static void prioritiesOfBandwidth(Values<Optional<Demand>> values) {
        if (!values.has(BANDWIDTH)) {
            Stream.of(SETUP_PRIORITY, HOLD_PRIORITY)
                    .filter(values::has)
                    .forEach(field -> values.invalid(
                            field,
                            "\"" + field.name() + "\" orders reservations of bandwidth, and none is requested",
                            "give bandwidthKbps, or leave it out"));
            return;
        }
        int setup = setupPriority(values);
        int hold = holdPriority(values);
        if (hold > setup) {
            values.invalid(
                    HOLD_PRIORITY,
                    "the hold priority " + hold + " is lower than the setup priority " + setup
                            + ": what was set up could be taken by its like again (RFC 3209, 4.7.1; 0 is the highest)",
                    "write " + setup + " or a smaller number");
        }
    }

    private static List<Disjointness> disjointFrom(Dynamic dynamic) {
        return Stream.<Disjointness>concat(dynamic.disjointFrom().stream(), dynamic.twin().stream())
                .toList();
    }

    private static <D extends Disjointness> List<D> only(Class<D> type, List<Disjointness> all) {
        return all.stream().filter(type::isInstance).map(type::cast).toList();
    }

    private static void onePathPerPolicy(Values<Dynamic> values) {
        List<Disjointness> all = values.find(DISJOINT_FROM).orElse(List.of());
        List<Twin> twins = only(Twin.class, all);
        List<Apart> apart = only(Apart.class, all);
        if (twins.size() > 1) {
            values.invalid(
                    DISJOINT_FROM,
                    "candidate paths are disjoint two by two, not from " + twins.size() + " others",
                    "name one of them");
        }
        if (apart.size() > MOST_NAMED) {
            values.invalid(DISJOINT_FROM, apart.size() + " are more than " + MOST_NAMED, "name fewer of them");
        }
        List<Apart> once = sorted(apart);
        for (int i = 1; i < once.size(); i++) {
            if (once.get(i).policy().equals(once.get(i - 1).policy())) {
                values.invalid(
                        DISJOINT_FROM,
                        "policy \"" + once.get(i).policy() + "\" is named twice",
                        "name it once: srlg-node is the most that can be asked");
            }
        }
    }
}
