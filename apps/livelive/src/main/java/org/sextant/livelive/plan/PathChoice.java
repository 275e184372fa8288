// SPDX-License-Identifier: Apache-2.0
package org.sextant.livelive.plan;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import org.sextant.core.intent.CompileContext;
import org.sextant.core.json.Suggestion;
import org.sextant.core.net.Link;
import org.sextant.core.net.Network;
import org.sextant.core.table.MySid;
import org.sextant.kit.Findings;
import org.sextant.livelive.LiveLive;
import org.sextant.livelive.PathRequest;
import org.sextant.livelive.Shortfall;
import org.sextant.livelive.path.DisjointPaths;
import org.sextant.livelive.path.Disjointness;
import org.sextant.livelive.path.LinkPath;
import org.sextant.livelive.path.PathSet;
import org.sextant.livelive.path.SharedResource;

/**
 * The paths of a flow in the present network.
 *
 * @param wanted the requested number; 0: all disjoint ones
 * @param relaxed the resources that they share against the request; its numbers are those of the paths
 */
record PathChoice(int wanted, List<NumberedPath> paths, List<SharedResource> relaxed) {

    /**
     * @param admission true for a new flow, which a shortfall may reject; an admitted one continues over the remaining
     *     paths
     */
    static Optional<PathChoice> of(
            LiveLive flow, FlowEnds ends, CompileContext context, boolean admission, Findings findings) {
        return flow.wish() instanceof PathRequest.Given given
                ? given(given, ends, context.network(), findings)
                : found((PathRequest.Found) flow.wish(), ends, context, admission, findings);
    }

    private static Optional<PathChoice> found(
            PathRequest.Found wish, FlowEnds ends, CompileContext context, boolean admission, Findings findings) {
        List<Link> links = context.network().links().stream()
                .filter(link -> usable(link, context))
                .toList();
        boolean mayShare = wish.shortfall() == Shortfall.RELAX;
        String from = ends.ingress().name();
        String to = ends.egress().name();
        PathSet set = paths(links, from, to, wish, context);
        if (set.paths().isEmpty()) {
            findings.unfeasible(
                    "/to",
                    "no path of links that are up leads from " + from + " to " + to,
                    "bring a link up, or choose other ends");
            return Optional.empty();
        }
        int missing = wish.paths() - set.paths().size();
        if (missing > 0) {
            String kind = mayShare ? "different" : wish.disjointness().spelling() + "-disjoint";
            String text = (set.paths().size() == 1
                            ? "only one path leads"
                            : "only " + set.paths().size() + " " + kind + " paths lead")
                    + " from " + from + " to " + to + ", not " + wish.paths()
                    + (mayShare
                            ? ""
                            : obstacle(links, from, to, wish, set.paths().size()));
            if (admission && wish.shortfall() == Shortfall.REFUSE) {
                findings.unfeasible("/paths", text, "ask for fewer, or write \"shortfall\": \"relax\" or \"offer\"");
                return Optional.empty();
            }
            findings.warn(text);
        } else if (set.paths().size() == 1) {
            findings.warn("only one path leads from " + from + " to " + to + ": nothing protects the flow");
        }
        return Optional.of(numbered(wish.paths(), set, context.network(), wish.disjointness(), findings));
    }

    /** Paths without overloaded transit nodes, if they are as many as with these and share no more. */
    private static PathSet paths(
            List<Link> links, String from, String to, PathRequest.Found wish, CompileContext context) {
        boolean mayShare = wish.shortfall() == Shortfall.RELAX;
        PathSet all = DisjointPaths.find(links, from, to, wish.most(), wish.disjointness(), mayShare);
        Set<String> avoided = new TreeSet<>(context.underlay().avoided());
        avoided.remove(from);
        avoided.remove(to);
        if (avoided.isEmpty()) {
            return all;
        }
        List<Link> others = links.stream()
                .filter(link -> !avoided.contains(link.from().node())
                        && !avoided.contains(link.to().node()))
                .toList();
        PathSet without = DisjointPaths.find(others, from, to, wish.most(), wish.disjointness(), mayShare);
        return without.paths().size() == all.paths().size()
                        && without.relaxed().size() <= all.relaxed().size()
                ? without
                : all;
    }

    /** Is true if copies may use the link: nodes that never connected count as usable, pipelines without uN do not. */
    private static boolean usable(Link link, CompileContext context) {
        return link.up()
                && context.network()
                        .node(link.from().node())
                        .orElseThrow()
                        .srv6()
                        .isPresent()
                && context.network().node(link.to().node()).orElseThrow().srv6().isPresent()
                && context.capabilities(link.to().node())
                        .map(can -> can.offers(MySid.TABLE, "un"))
                        .orElse(true);
    }

    /** The resource that one more path would share. */
    private static String obstacle(List<Link> links, String from, String to, PathRequest.Found wish, int found) {
        return DisjointPaths.find(links, from, to, Math.min(found + 1, DisjointPaths.MOST), wish.disjointness(), true)
                .relaxed()
                .stream()
                .findFirst()
                .map(sharing -> "; one more would share " + text(sharing))
                .orElse("");
    }

    private static PathChoice numbered(
            int wanted, PathSet set, Network network, Disjointness disjointness, Findings findings) {
        List<NumberedPath> paths = NumberedPath.number(set.paths(), network);
        PathChoice choice = new PathChoice(wanted, paths, shared(paths, disjointness));
        choice.relaxed.forEach(sharing -> findings.warn("paths "
                + sharing.paths().stream().map(String::valueOf).collect(Collectors.joining(" and "))
                + " share " + text(sharing)));
        return choice;
    }

    private static List<SharedResource> shared(List<NumberedPath> paths, Disjointness disjointness) {
        return SharedResource.of(paths.stream().map(NumberedPath::path).toList(), disjointness).stream()
                .map(sharing -> new SharedResource(
                        sharing.kind(),
                        sharing.what(),
                        sharing.paths().stream()
                                .map(index -> paths.get(index).number())
                                .toList()))
                .toList();
    }

    private static String text(SharedResource sharing) {
        return sharing.kind().spelling() + " " + sharing.what();
    }

    // Explicit paths. The number of each is its index in the list, so one that is down leaves a gap.

    private static Optional<PathChoice> given(
            PathRequest.Given wish, FlowEnds ends, Network network, Findings findings) {
        List<NumberedPath> paths = new ArrayList<>();
        int before = findings.count();
        for (int i = 0; i < wish.paths().size(); i++) {
            String pointer = "/paths/" + i;
            int number = i + 1;
            along(wish.paths().get(i), pointer, ends, network, findings)
                    .ifPresent(path -> paths.add(new NumberedPath(number, path, pointer)));
        }
        if (findings.count() > before) {
            return Optional.empty();
        }
        if (paths.isEmpty()) {
            findings.unfeasible("/paths", "every path given has a link that is down", "bring a link up");
            return Optional.empty();
        }
        return Optional.of(new PathChoice(wish.paths().size(), paths, shared(paths, Disjointness.LINK)));
    }

    /** Empty with a warning if a link is down, and with a finding if the nodes form no path. */
    private static Optional<LinkPath> along(
            List<String> hops, String pointer, FlowEnds ends, Network network, Findings findings) {
        List<String> nodes = hops.stream().filter(hop -> hop.indexOf('/') < 0).toList();
        if (nodes.isEmpty()
                || !nodes.get(0).equals(ends.ingress().name())
                || !nodes.get(nodes.size() - 1).equals(ends.egress().name())) {
            findings.unfeasible(
                    pointer,
                    "the path does not lead from " + ends.ingress().name() + ", where "
                            + ends.from().label() + " is, to " + ends.egress().name() + ", where "
                            + ends.to().label() + " is",
                    "begin with " + ends.ingress().name() + " and end with "
                            + ends.egress().name());
            return Optional.empty();
        }
        List<Link> links = new ArrayList<>();
        Optional<String> named = Optional.empty();
        String at = nodes.get(0);
        for (int i = 1; i < hops.size(); i++) {
            if (hops.get(i).indexOf('/') >= 0) {
                named = Optional.of(hops.get(i));
                continue;
            }
            Optional<Link> link = link(at, hops.get(i), named, pointer + "/" + i, network, findings);
            if (link.isEmpty()) {
                return Optional.empty();
            }
            links.add(link.get());
            at = hops.get(i);
            named = Optional.empty();
        }
        Optional<Link> down = links.stream().filter(link -> !link.up()).findFirst();
        down.ifPresent(link -> findings.warn("path " + pointer + " is out of use: link " + link.id() + " is down"));
        return down.isPresent() ? Optional.empty() : Optional.of(new LinkPath(links));
    }

    private static Optional<Link> link(
            String from, String to, Optional<String> named, String pointer, Network network, Findings findings) {
        if (network.node(to).isEmpty()) {
            findings.unknown(
                    pointer,
                    "there is no node \"" + to + "\"",
                    Suggestion.of(to, network.nodes().keySet(), "nodes"));
            return Optional.empty();
        }
        Optional<Link> link = network.linksFrom(from).stream()
                .filter(one -> one.to().node().equals(to))
                .filter(one -> named.isEmpty() || one.id().equals(named.get()))
                .min(Comparator.comparing((Link one) -> !one.up()).thenComparingInt(Link::igpMetric));
        if (link.isEmpty()) {
            findings.unfeasible(
                    pointer,
                    named.map(id -> "there is no link " + id + " from " + from + " to " + to)
                            .orElse(from + " and " + to + " are not neighbours"),
                    "name every node on the way; " + from + " has the links "
                            + network.linksFrom(from).stream().map(Link::id).collect(Collectors.joining(", ")));
        }
        return link;
    }
}
