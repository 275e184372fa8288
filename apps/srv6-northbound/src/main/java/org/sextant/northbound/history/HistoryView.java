// SPDX-License-Identifier: Apache-2.0
package org.sextant.northbound.history;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.Map;
import java.util.SortedMap;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.sextant.core.history.History;
import org.sextant.core.net.Link;
import org.sextant.core.net.Network;
import org.sextant.core.text.Moments;

/** The past as REST and CLI show it. */
public final class HistoryView {
    static final String UTILISATION = "utilisationPercent";
    private static final int BITS_PER_BYTE = 8;
    private static final double BITS_PER_KILOBIT = 1000;
    private static final double ALL = 100;
    private static final double PRECISION = 1000;

    private HistoryView() {}

    /** Values of some things in the last hour. */
    public static ObjectNode of(Lookback now, HistoryQuery query) {
        int stepSeconds = History.stepsPerPoint(query.points()) * History.STEP_SECONDS;
        Map<String, Link> links = linksOf(now.network());
        ObjectNode view = JsonNodeFactory.instance.objectNode();
        view.put("now", Moments.iso(now.now()))
                .put("stepSeconds", stepSeconds)
                .put("leftOut", now.history().leftOut());
        ArrayNode things = view.putArray("things");
        for (String name : query.of()) {
            ObjectNode thing = things.addObject().put("of", name);
            ArrayNode series = thing.putArray("series");
            SortedMap<String, double[]> values = now.history().of(name, now.nanos(), query.points());
            values.forEach((quantity, points) -> add(series, quantity, points, 1));
            double share = percentOfByte(now.network(), links.get(name));
            double[] traffic = values.get(LinkMeasures.BYTES);
            if (share > 0 && traffic != null) {
                add(series, UTILISATION, withProbes(traffic, values.get(LinkMeasures.PROBE_BYTES)), share);
            }
        }
        return view;
    }

    /** Both take of a link's speed. */
    private static double[] withProbes(double[] traffic, double @Nullable [] probes) {
        double[] all = traffic.clone();
        for (int i = 0; probes != null && i < all.length; i++) {
            all[i] += Double.isNaN(probes[i]) ? 0 : probes[i];
        }
        return all;
    }

    private static Map<String, Link> linksOf(Network network) {
        return network.links().stream()
                .collect(Collectors.toMap(link -> LinkMeasures.nameOf(link.id()), Function.identity()));
    }

    /** How much of its speed, the described one if there is one, a byte in a second is; 0 if that is not known. */
    private static double percentOfByte(Network network, @Nullable Link link) {
        if (link == null) {
            return 0;
        }
        long kbps = link.capacityKbps() > 0 ? link.capacityKbps() : network.speedKbps(link);
        return kbps == 0 ? 0 : ALL * BITS_PER_BYTE / (kbps * BITS_PER_KILOBIT);
    }

    private static void add(ArrayNode series, String quantity, double[] points, double factor) {
        ArrayNode values = series.addObject().put("quantity", quantity).putArray("values");
        for (double point : points) {
            if (Double.isNaN(point)) {
                values.addNull();
            } else {
                values.add(rounded(point * factor));
            }
        }
    }

    private static double rounded(double value) {
        return Math.round(value * PRECISION) / PRECISION;
    }

    /**
     * The states of a moment.
     *
     * @param at as {@link Moment} reads it; null for now
     * @throws org.sextant.core.ProblemException if nothing is known of it
     */
    public static ObjectNode states(Lookback now, @Nullable String at) {
        long then = Moment.parse(at, now);
        long intentsFrom = now.intents().from(now.nanos());
        ObjectNode view = JsonNodeFactory.instance.objectNode();
        view.put("now", Moments.iso(now.now()))
                .put("at", Moments.iso(now.instantOf(then)))
                .put("secondsAgo", (now.nanos() - then) / 1_000_000_000L)
                .put("from", Moments.iso(now.instantOf(now.states().from(now.nanos()))))
                .put("intentsFrom", Moments.iso(now.instantOf(intentsFrom)))
                .put("leftOut", now.states().leftOut() + now.intents().leftOut());
        ArrayNode nodes = view.putArray("nodes");
        ArrayNode links = view.putArray("links");
        ArrayNode hosts = view.putArray("hosts");
        // It may have moved on since it was looked at.
        now.states()
                .at(then)
                .ifPresent(states -> states.forEach((name, state) -> {
                    String id = name.substring(name.indexOf(':') + 1);
                    if (name.startsWith(States.NODE)) {
                        nodes.addObject().put("name", id).put("state", state);
                    } else if (name.startsWith(States.LINK)) {
                        link(links.addObject().put("id", id).put("up", state.equals(States.UP)), name, now, then);
                    } else {
                        hosts.addObject().put("name", id).put("up", state.equals(States.UP));
                    }
                }));
        now.intents().at(then).ifPresent(states -> intents(view.putArray("intents"), states));
        return view;
    }

    private static void link(ObjectNode view, String name, Lookback now, long then) {
        double bytes = now.history().at(name, LinkMeasures.BYTES, now.nanos(), now.nanos() - then);
        if (!Double.isNaN(bytes)) {
            view.put("bitsPerSecond", Math.round(bytes * BITS_PER_BYTE));
        }
    }

    private static void intents(ArrayNode list, SortedMap<String, String> states) {
        states.forEach((name, state) -> {
            int slash = name.indexOf('/');
            list.addObject()
                    .put("kind", name.substring(0, slash))
                    .put("id", name.substring(slash + 1))
                    .put("state", state);
        });
    }
}
