// SPDX-License-Identifier: Apache-2.0
package org.sextant.northbound.view;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import org.sextant.core.Problem;
import org.sextant.core.ProblemException;
import org.sextant.core.intent.CompileContext;
import org.sextant.core.intent.EntryFilter;
import org.sextant.core.intent.EntryStatus;
import org.sextant.core.intent.Intents;
import org.sextant.core.ip.Ipv6;
import org.sextant.core.json.Fields;
import org.sextant.core.json.Suggestion;
import org.sextant.core.net.Link;
import org.sextant.core.net.Network;
import org.sextant.core.protect.Outage;
import org.sextant.core.protect.Outage.Fate;
import org.sextant.core.protect.Outage.Move;
import org.sextant.core.protect.Repair;
import org.sextant.core.sid.Encapsulation;
import org.sextant.core.sid.Payload;
import org.sextant.core.sid.Trace;
import org.sextant.core.sid.Walk;
import org.sextant.core.table.Behavior.Family;
import org.sextant.core.table.SidList;
import org.sextant.core.table.Standby;
import org.sextant.core.underlay.SidPlan;
import org.sextant.core.underlay.Underlay;

/** The fate of packets if a link or a node were lost now, as REST and CLI show it (docs/reference/protection.md). */
public final class OutageView {
    private final Network network;
    private final Underlay underlay;
    private final Outage outage;

    private OutageView(CompileContext context, String failed) {
        this.network = context.network();
        this.underlay = context.underlay();
        this.outage = new Outage(
                underlay,
                node -> context.capabilities(node)
                        .map(capabilities -> capabilities.offers(Standby.TABLE, "repair"))
                        .orElse(true),
                failed);
    }

    /**
     * @param failed the name of a node or the id of a link
     * @throws ProblemException if there is neither
     */
    public static ObjectNode of(Intents intents, String failed) {
        OutageView view = known(intents.context(), failed);
        ObjectNode outage = view.of(intents.entries(EntryFilter.ALL), failed);
        outage.set("intents", WhatIfView.of(intents.foresee(view.outage.without())));
        return outage;
    }

    /** The same without the effects on intents. */
    static ObjectNode of(CompileContext context, List<EntryStatus> entries, String failed) {
        return known(context, failed).of(entries, failed);
    }

    private static OutageView known(CompileContext context, String failed) {
        if (!Outage.knows(context.network(), failed)) {
            throw unknown(context.network(), failed);
        }
        return new OutageView(context, failed);
    }

    private static ProblemException unknown(Network network, String failed) {
        List<String> names = Stream.concat(
                        network.nodes().keySet().stream(),
                        network.links().stream().map(Link::id))
                .toList();
        return new ProblemException(new Problem(
                Problem.Code.UNKNOWN,
                "/failed",
                "there is no node and no link \"" + Fields.shorten(failed) + "\"",
                Suggestion.of(failed, names, "nodes and links")));
    }

    private ObjectNode of(List<EntryStatus> entries, String failed) {
        ObjectNode view = JsonNodeFactory.instance.objectNode().put("failed", failed);
        ArrayNode links = view.putArray("links");
        outage.lost().forEach(links::add);
        ObjectNode pairs = view.putObject("pairs");
        outage.pairs().forEach((fate, count) -> pairs.put(word(fate), count));
        ArrayNode moves = view.putArray("moves");
        outage.moves().forEach(move -> moves.add(json(move)));
        ArrayNode lists = view.putArray("lists");
        for (EntryStatus status : entries) {
            status.entry()
                    .filter(SidList.class::isInstance)
                    .map(SidList.class::cast)
                    .filter(list -> list.id() >= 0)
                    .ifPresent(list -> add(lists, status, list));
        }
        return view;
    }

    private static String word(Fate fate) {
        return switch (fate) {
            case UNTOUCHED -> "untouched";
            case EQUAL_LINKS -> "equalLinks";
            case REPAIRED -> "repaired";
            case DROPPED -> "dropped";
            case CUT_OFF -> "cutOff";
        };
    }

    private ObjectNode json(Move move) {
        ObjectNode view = JsonNodeFactory.instance
                .objectNode()
                .put("node", move.node())
                .put("destination", move.destination())
                .put("becomes", word(move.fate()))
                .put("metricBefore", move.before());
        move.after().ifPresent(metric -> view.put("metricAfter", metric));
        if (move.fate() == Fate.REPAIRED) {
            Repair repair = move.guard().orElseThrow().repair().orElseThrow();
            List<Ipv6> segments = repair.segments(move.destination(), network);
            view.put("way", repair.text()).put("bytes", Encapsulation.reducedBytes(segments.size()));
            ArrayNode list = view.putArray("segments");
            segments.forEach(segment -> list.add(segment.toString()));
            ArrayNode links = view.putArray("links");
            move.links().forEach(link -> links.add(link.id()));
        }
        return view;
    }

    /** A list whose packets do not meet the lost element is not reported. */
    private void add(ArrayNode lists, EntryStatus status, SidList list) {
        for (SidList.Member member : list.members()) {
            Trace trace =
                    Walk.encapsulate(underlay.fib(), status.node(), true, member.segments(), Payload.of(Family.IPV6));
            if (trace.links().stream().anyMatch(outage.lost()::contains)) {
                ObjectNode view = lists.addObject();
                view.put("node", status.node()).put("sidList", list.id());
                ArrayNode owners = view.putArray("intents");
                status.owners().forEach(owner -> owners.add(owner.toString()));
                Optional<Trace.Hop> met = trace.hops().stream()
                        .filter(hop ->
                                hop.link().filter(outage.lost()::contains).isPresent())
                        .findFirst();
                met.ifPresent(hop -> view.put("at", hop.node()));
                view.put("becomes", word(met.map(this::fate).orElse(Fate.EQUAL_LINKS)));
            }
        }
    }

    /**
     * The fate of packets at a node next to the lost element: over a pinned link nothing else leads, and else as its
     * routes say.
     */
    private Fate fate(Trace.Hop hop) {
        boolean pinned = hop.behavior().startsWith("uA") || hop.behavior().startsWith("End.X");
        return hop.leaving()
                .filter(destination -> !pinned)
                .flatMap(this::owner)
                .flatMap(destination -> outage.move(hop.node(), destination))
                .map(Move::fate)
                .orElse(Fate.DROPPED);
    }

    private Optional<String> owner(Ipv6 address) {
        return network.nodes().values().stream()
                .filter(node -> SidPlan.of(node)
                        .filter(sids -> sids.reachedUnder().stream().anyMatch(prefix -> prefix.contains(address)))
                        .isPresent())
                .map(node -> node.name())
                .findFirst();
    }
}
