// SPDX-License-Identifier: Apache-2.0
package org.sextant.kit.path;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.TreeSet;
import java.util.function.BiConsumer;
import org.sextant.core.Problem;
import org.sextant.core.ip.IpAddress;
import org.sextant.core.ip.IpPrefix;
import org.sextant.core.ip.Ipv6;
import org.sextant.core.json.Suggestion;
import org.sextant.core.net.Host;
import org.sextant.core.net.Link;
import org.sextant.core.net.Network;
import org.sextant.core.net.Node;
import org.sextant.core.net.Srv6;
import org.sextant.core.te.HopRules;
import org.sextant.core.underlay.SidPlan;
import org.sextant.core.underlay.Underlay;
import org.sextant.kit.Endpoint;
import org.sextant.kit.Findings;

/** Finds the objects of the network that an intent names, or reports those that do not exist with the nearest name. */
public record Resolver(Network network, Findings findings) {

    /** A resolved endpoint: the prefixes to steer, and the host with these addresses, if any. */
    public record End(String label, Optional<Host> host, List<IpPrefix> prefixes) {}

    public Optional<End> end(Endpoint endpoint, String at) {
        if (endpoint instanceof Endpoint.Named named) {
            Optional<Host> host = network.host(named.host());
            if (host.isEmpty()) {
                findings.unknown(
                        at,
                        "there is no host \"" + named.host() + "\"",
                        Suggestion.of(named.host(), network.hosts().keySet(), "hosts"));
            }
            return host.map(found -> new End(
                    found.name(),
                    host,
                    found.addresses().stream()
                            .map(Resolver::hostPrefix)
                            .distinct()
                            .toList()));
        }
        IpPrefix prefix = ((Endpoint.Range) endpoint).prefix();
        amongSids(prefix, at);
        return Optional.of(new End(endpoint.toString(), owner(prefix), List.of(prefix)));
    }

    /**
     * Reports a prefix within the block of SIDs. The headend would steer its packets to these SIDs again, both its own
     * and others'. A shorter prefix, such as ::/0, does not affect them.
     */
    private void amongSids(IpPrefix prefix, String at) {
        if (network.blocks().stream().noneMatch(block -> block.contains(prefix.address()))) {
            return;
        }
        network.nodes().values().stream()
                .filter(node -> node.srv6()
                        .filter(srv6 -> srv6.block().contains(prefix.address()))
                        .isPresent())
                .filter(node -> {
                    IpPrefix sids = SidPlan.of(node).orElseThrow().routed();
                    return sids.contains(prefix.address()) && sids.length() <= prefix.length();
                })
                .findFirst()
                .ifPresent(node -> findings.unfeasible(
                        at,
                        prefix + " lies among the SIDs of node " + node.name()
                                + ": packets that travel a policy would be steered again",
                        "name hosts, or a prefix outside of the block "
                                + node.srv6().orElseThrow().block()));
    }

    private static IpPrefix hostPrefix(IpAddress address) {
        return new IpPrefix(address, address.bits());
    }

    private Optional<Host> owner(IpPrefix prefix) {
        return prefix.length() < prefix.address().bits()
                ? Optional.empty()
                : network.hosts().values().stream()
                        .filter(host -> host.addresses().contains(prefix.address()))
                        .findFirst();
    }

    /** A node that can be a waypoint: it exists, and has an SRv6 configuration. */
    public Optional<Node> node(Waypoint waypoint, String at) {
        Optional<Node> named = network.node(waypoint.text());
        if (named.isPresent()) {
            return configured(named.get(), at);
        }
        if (waypoint.isSid()) {
            return bySid(Ipv6.parse(waypoint.text()), at);
        }
        if (waypoint.usid().isPresent()) {
            return byUsid(waypoint, waypoint.usid().getAsLong(), at);
        }
        findings.unknown(
                at,
                "there is no node \"" + waypoint + "\"",
                Suggestion.of(waypoint.text(), network.nodes().keySet(), "nodes"));
        return Optional.empty();
    }

    /**
     * The name of a node that a path avoids. The node only forwards, so it needs no SIDs. A node that no longer exists
     * is avoided anyway, so {@code gone} decides how to report it.
     *
     * @param gone receives message and remedy if no node matches
     */
    public Optional<String> avoided(Waypoint waypoint, String at, BiConsumer<String, String> gone) {
        Optional<Node> named = network.node(waypoint.text());
        if (named.isPresent()) {
            return named.map(Node::name);
        }
        Findings own = new Findings();
        Optional<String> meant = new Resolver(network, own).node(waypoint, at).map(Node::name);
        own.problems().forEach(problem -> {
            if (problem.code() == Problem.Code.UNKNOWN) {
                gone.accept(problem.message(), problem.remedy());
            } else {
                findings.add(List.of(problem));
            }
        });
        return meant;
    }

    /** The node, if it has an SRv6 configuration; otherwise reports a problem. */
    public Optional<Node> configured(Node node, String at) {
        if (!HopRules.of(network).canVisit(node.name())) {
            findings.unfeasible(
                    at,
                    "node " + node.name() + " has no SRv6 configuration",
                    "give it a uSID in the network description, or choose another node");
            return Optional.empty();
        }
        return Optional.of(node);
    }

    private Optional<Node> byUsid(Waypoint waypoint, long usid, String at) {
        List<Node> owners = withUsid(usid);
        if (owners.size() == 1) {
            return Optional.of(owners.get(0));
        }
        if (owners.size() > 1) {
            findings.invalid(
                    at,
                    "several nodes have the uSID " + waypoint + ", in different blocks: "
                            + String.join(", ", names(owners)),
                    "write the node's name or its whole SID");
        } else if (usid == 0) {
            findings.invalid(
                    at, "uSID 0 is no node: it ends a container (RFC 9800, 4.1)", "give a node's uSID, from 1 on");
        } else {
            noSuchUsid(waypoint, usid, at);
        }
        return Optional.empty();
    }

    private void noSuchUsid(Waypoint waypoint, long usid, String at) {
        Optional<Srv6> refusing =
                srv6().stream().filter(srv6 -> !srv6.format().isGlobal(usid)).findFirst();
        if (refusing.isPresent()
                && srv6().stream().noneMatch(srv6 -> srv6.format().isGlobal(usid))) {
            findings.invalid(
                    at,
                    "uSID " + waypoint + " is not a node's: those of "
                            + refusing.get().format().name() + " are 0x1 to 0x"
                            + Long.toHexString(refusing.get().format().localStart() - 1),
                    "give a node's name or uSID");
        } else {
            boolean word = !waypoint.text().startsWith("0x")
                    && !Character.isDigit(waypoint.text().charAt(0));
            findings.unknown(
                    at,
                    (word ? "there is no node \"" + waypoint + "\", and none" : "no node") + " has the uSID 0x"
                            + Long.toHexString(usid),
                    word
                            ? Suggestion.of(waypoint.text(), network.nodes().keySet(), "nodes")
                            : "the uSIDs are " + known());
        }
    }

    private Optional<Node> bySid(Ipv6 sid, String at) {
        Optional<Node> owner = network.nodes().values().stream()
                .filter(node -> SidPlan.of(node)
                        .filter(plan -> plan.locator().contains(sid))
                        .isPresent())
                .findFirst();
        if (owner.isEmpty()) {
            findings.unknown(at, "no node owns the SID " + sid, "the SIDs of nodes are " + known());
            return Optional.empty();
        }
        if (!Underlay.locator(owner.get()).equals(sid)) {
            findings.invalid(
                    at,
                    sid + " says more than which node to visit",
                    "write " + Underlay.locator(owner.get())
                            + " here, or give the whole SID as a hop of the general form: {\"sid\": \"" + sid + "\"}");
            return Optional.empty();
        }
        return owner;
    }

    private List<Srv6> srv6() {
        return network.nodes().values().stream()
                .flatMap(node -> node.srv6().stream())
                .toList();
    }

    private List<Node> withUsid(long usid) {
        return network.nodes().values().stream()
                .filter(node ->
                        node.srv6().map(Srv6::usid).filter(own -> own == usid).isPresent())
                .toList();
    }

    private static List<String> names(List<Node> nodes) {
        return nodes.stream().map(Node::name).toList();
    }

    private String known() {
        List<String> known = network.nodes().values().stream()
                .filter(node -> node.srv6().isPresent())
                .map(node -> node.name() + " " + Underlay.locator(node))
                .toList();
        return abridged(known);
    }

    private static String abridged(List<String> words) {
        return String.join(", ", words.subList(0, Math.min(words.size(), 10))) + (words.size() > 10 ? ", …" : "");
    }

    /** The link that an operator's text names; it can be pinned ({@link HopRules#canPin}). */
    public Optional<Link> link(String text, String at) {
        List<Link> candidates = new ArrayList<>();
        TreeSet<String> strangers = new TreeSet<>();
        boolean ends = false;
        for (int dash = text.indexOf('-'); dash >= 0; dash = text.indexOf('-', dash + 1)) {
            String from = text.substring(0, dash);
            String to = text.substring(dash + 1);
            if (known(from) && known(to)) {
                ends = true;
                network.linksFrom(bare(from)).stream()
                        .filter(link -> fits(from, link.from()) && fits(to, link.to()))
                        .forEach(candidates::add);
            }
            (known(from) ? List.of(to) : List.of(from))
                    .stream().filter(end -> !known(end)).map(Resolver::bare).forEach(strangers::add);
        }
        if (!ends) {
            String stranger = strangers.first();
            findings.unknown(
                    at,
                    "link " + text + ": there is no node \"" + stranger + "\"",
                    Suggestion.of(stranger, network.nodes().keySet(), "nodes"));
            return Optional.empty();
        }
        return one(text, candidates, at);
    }

    private Optional<Link> one(String text, List<Link> candidates, String at) {
        if (candidates.isEmpty()) {
            findings.unknown(at, "there is no link " + text, links(bare(text.substring(0, text.indexOf('-')))));
            return Optional.empty();
        }
        if (candidates.size() > 1) {
            findings.invalid(
                    at,
                    "several links fit " + text,
                    "say which: " + abridged(candidates.stream().map(Link::id).toList()));
            return Optional.empty();
        }
        Link link = candidates.get(0);
        if (!link.up()) {
            findings.unfeasible(at, "link " + link.id() + " is down", "bring it up, or choose another way");
            return Optional.empty();
        }
        // Only a near end without SIDs keeps a link that is up from being pinned.
        return HopRules.of(network).canPin(link)
                        || configured(network.node(link.from().node()).orElseThrow(), at)
                                .isPresent()
                ? Optional.of(link)
                : Optional.empty();
    }

    private String links(String node) {
        List<String> ids = network.linksFrom(node).stream().map(Link::id).toList();
        return ids.isEmpty() ? node + " has no links" : "the links of " + node + " are " + abridged(ids);
    }

    private boolean known(String end) {
        return network.node(bare(end)).isPresent();
    }

    private static String bare(String end) {
        int slash = end.indexOf('/');
        return slash < 0 ? end : end.substring(0, slash);
    }

    private static boolean fits(String end, Link.End linkEnd) {
        return end.indexOf('/') < 0
                ? linkEnd.node().equals(end)
                : linkEnd.toString().equals(end);
    }
}
