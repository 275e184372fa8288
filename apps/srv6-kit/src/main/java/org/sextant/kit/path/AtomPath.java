// SPDX-License-Identifier: Apache-2.0
package org.sextant.kit.path;

import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import org.sextant.core.ip.Ipv6;
import org.sextant.core.net.Link;
import org.sextant.core.net.Node;
import org.sextant.core.sid.Atom;
import org.sextant.core.te.HopRules;
import org.sextant.core.underlay.SidPlan;
import org.sextant.core.underlay.Underlay;
import org.sextant.kit.Findings;

/**
 * A path under construction: the atoms so far and the node at which a packet is after them.
 *
 * <pre>
 *   loose p6            [p6]              wherever the underlay goes
 *   strict p6           [p6]              if every shortest path to p6 takes a direct link
 *                       [p7 uA] [p6]      else: the link is pinned at the node before
 *   link p7-p6          [p7 uA]           p6 itself does nothing
 *   firewall 3 at l2    [l2 f230]
 *   policy p6 to v5     [p6 f805].          ends its container; the packet is at v5 then
 *   close at l3         [l3 f00d]
 * </pre>
 *
 * The headend pushes a packet and routes it; it does not process a SID of its own first, so nothing can be pinned
 * there.
 */
public final class AtomPath {
    private final Underlay underlay;
    private final Findings findings;
    private final HopRules rules;
    private final Node headend;
    private final List<Atom> atoms = new ArrayList<>();
    private final List<FirewallHop> passings = new ArrayList<>();
    private final List<BindingHandle> bindings = new ArrayList<>();
    private Node at;
    private boolean closed;

    public AtomPath(Underlay underlay, Findings findings, Node headend) {
        this.underlay = underlay;
        this.findings = findings;
        this.rules = HopRules.of(underlay.network());
        this.headend = headend;
        this.at = headend;
    }

    public Node at() {
        return at;
    }

    public Node headend() {
        return headend;
    }

    /** The path ends in a SID that decapsulates. */
    public boolean closed() {
        return closed;
    }

    public List<Atom> atoms() {
        return List.copyOf(atoms);
    }

    public void loose(Node node, String pointer) {
        if (!here(node, pointer)) {
            checkReachable(node, pointer);
            append(atom(node));
            at = node; // also if it is not reachable: the next hop is checked from the node that the operator named
        }
    }

    /** Is true if the packet is at {@code node} already, which is a problem unless it is behind a uA. */
    private boolean here(Node node, String pointer) {
        if (!node.name().equals(at.name())) {
            return false;
        }
        if (atoms.isEmpty() || endsAtNode(atoms)) {
            findings.invalid(pointer, "the path is at " + node.name() + " already", "name it once");
        } else {
            append(atom(node));
        }
        return true;
    }

    /** Reports a node that the underlay cannot reach from here. */
    private void checkReachable(Node node, String pointer) {
        if (!underlay.reaches(at, node)) {
            findings.unfeasible(
                    pointer,
                    "node " + node.name() + " cannot be reached from " + at.name()
                            + ": no path of links that are up leads there",
                    "bring a link up, or choose other nodes");
        }
    }

    public void strict(Node node, String pointer) {
        if (here(node, pointer)) {
            return;
        }
        List<Link> direct = underlay.links(at, node).stream().filter(Link::up).toList();
        if (direct.isEmpty()) {
            notNeighbours(node, pointer);
            return;
        }
        Set<String> ids = direct.stream().map(Link::id).collect(Collectors.toSet());
        if (!underlay.firstLinks(at, node).isEmpty() && ids.containsAll(underlay.firstLinks(at, node))) {
            append(atom(node));
            at = node;
        } else if (pin(direct.get(0), pointer)) {
            at = node;
            append(atom(node));
        }
    }

    private void notNeighbours(Node node, String pointer) {
        List<String> path = underlay.shortestPath(at, node);
        boolean down = !underlay.links(at, node).isEmpty();
        findings.unfeasible(
                pointer,
                at.name() + " and " + node.name() + " are not neighbours"
                        + (down ? " while the link between them is down" : ""),
                path.isEmpty()
                        ? "no path of links that are up leads from " + at.name() + " to " + node.name()
                        : "write \"loose\": true, or name the nodes between; the shortest path is "
                                + String.join(", ", path));
    }

    public void over(Link link, Node near, Node far, boolean loose, String pointer) {
        if (!near.name().equals(at.name())) {
            if (!loose) {
                findings.unfeasible(
                        pointer,
                        "link " + link.id() + " begins at " + near.name() + ", but the path is at " + at.name(),
                        "write \"loose\": true, or name the nodes between; the shortest path is "
                                + String.join(", ", underlay.shortestPath(at, near)));
                return;
            }
            int before = findings.count();
            loose(near, pointer);
            if (findings.count() > before) {
                return;
            }
        }
        if (atoms.isEmpty()
                && SidPlan.of(far).isPresent()
                && underlay.firstLinks(near, far).equals(Set.of(link.id()))) {
            append(atom(far));
            at = far;
        } else if (pin(link, pointer)) {
            at = far;
        }
    }

    /** Makes the node at which the packet is send it over {@code link}. */
    private boolean pin(Link link, String pointer) {
        if (atoms.isEmpty()) {
            findings.unfeasible(
                    pointer,
                    "the headend " + at.name() + " would send packets to "
                            + link.to().node() + " another way than over " + link.id()
                            + ", and a headend cannot pin its own link",
                    "write \"loose\": true, begin with another node, or lower the link's igpMetric");
            return false;
        }
        if (!rules.canPin(link)) {
            findings.unfeasible(
                    pointer,
                    "node " + at.name() + " has no SRv6 configuration, so it cannot be made to send packets over "
                            + link.id(),
                    "write \"loose\": true, or choose another node");
            return false;
        }
        SidPlan plan = plan(at);
        Atom.Compressed pinned = Atom.Compressed.of(
                plan.srv6().block(),
                plan.format(),
                plan.usid(),
                plan.uaUsid(link.from().port()));
        replaceOrAppend(pinned);
        return true;
    }

    /** Appends an atom of the user's unchanged. {@code then} is the node of the packet behind it. */
    public void verbatim(Atom.Compressed atom, Node then) {
        replaceOrAppend(atom);
        at = then;
        closed |= atom.closes();
    }

    /** Appends a node's firewall; its SID carries the arguments. */
    public void through(FirewallHandle firewall, int args, boolean loose, String pointer) {
        Node node = underlay.network().node(firewall.node()).orElse(null);
        if (node == null || SidPlan.of(node).isEmpty()) {
            findings.unknown(
                    pointer,
                    "firewall \"" + firewall.id() + "\" is at " + firewall.node() + ", which has no SRv6 now",
                    "bring the node back, or lead around the firewall");
            return;
        }
        if (node.name().equals(headend.name()) && atoms.isEmpty()) {
            findings.unfeasible(
                    pointer,
                    "the headend " + node.name() + " does not process SIDs of its own",
                    "begin with another node, or enter at another one");
            return;
        }
        if (!node.name().equals(at.name()) && !reached(node, loose, pointer)) {
            return;
        }
        SidPlan plan = plan(node);
        Ipv6 sid = (Ipv6) firewall.sid().sid().address();
        long usid = sid.bits(plan.locator().length(), plan.format().usidLength()) + args;
        verbatim(Atom.Compressed.of(plan.srv6().block(), plan.format(), plan.usid(), usid), node);
        passings.add(new FirewallHop(firewall, pointer, atoms.size()));
    }

    /** Appends a binding SID; the path continues at the end of that policy. */
    public void into(BindingHandle binding, boolean loose, String pointer) {
        Node node = underlay.network().node(binding.node()).orElse(null);
        Node end = underlay.network().node(binding.endpoint()).orElse(null);
        if (node == null || end == null || SidPlan.of(node).isEmpty()) {
            findings.unknown(
                    pointer,
                    "policy \"" + binding.policy() + "\" leads from " + binding.node() + " to " + binding.endpoint()
                            + ", which are not both there now",
                    "bring the node back, or name nodes as hops");
            return;
        }
        if (node.name().equals(headend.name()) && atoms.isEmpty()) {
            findings.unfeasible(
                    pointer,
                    "the headend " + node.name() + " does not process SIDs of its own",
                    "begin with another node, or name the hops of policy \"" + binding.policy() + "\"");
            return;
        }
        if (!node.name().equals(at.name()) && !reached(node, loose, pointer)) {
            return;
        }
        SidPlan plan = plan(node);
        long usid = ((Ipv6) binding.sid().sid().address())
                .bits(plan.locator().length(), plan.format().usidLength());
        replaceOrAppend(Atom.Compressed.of(plan.srv6().block(), plan.format(), plan.usid(), usid)
                .closing());
        bindings.add(binding);
        at = end;
    }

    /** The policies whose binding SIDs the path contains, in its order. */
    public List<BindingHandle> bindings() {
        return List.copyOf(bindings);
    }

    private boolean reached(Node node, boolean loose, String pointer) {
        int before = findings.count();
        if (loose) {
            loose(node, pointer);
        } else {
            strict(node, pointer);
        }
        return findings.count() == before;
    }

    /** Ends a hop: the atoms behind a firewall belong to the hop at {@code pointer}. */
    public void wentTo(String pointer) {
        for (int i = 0; i < passings.size(); i++) {
            passings.set(i, passings.get(i).followedBy(pointer, atoms.size()));
        }
    }

    /** The firewalls of the path, in its order. */
    public List<FirewallHop> passings() {
        return List.copyOf(passings);
    }

    /** The atoms and {@code end}, which begins with the node of the packet. */
    public List<Atom> closedBy(Atom end) {
        List<Atom> path = new ArrayList<>(atoms);
        if (endsAtNode(path)) {
            path.remove(path.size() - 1);
        }
        path.add(end);
        return List.copyOf(path);
    }

    private static SidPlan plan(Node node) {
        return SidPlan.of(node).orElseThrow();
    }

    private static Atom.Compressed atom(Node node) {
        SidPlan plan = plan(node);
        return Atom.Compressed.of(plan.srv6().block(), plan.format(), plan.usid());
    }

    private void append(Atom atom) {
        atoms.add(atom);
    }

    /** An atom that begins with the node of the packet replaces that node's own uSID. */
    private void replaceOrAppend(Atom.Compressed atom) {
        if (endsAtNode(atoms) && startsAt(atom)) {
            atoms.remove(atoms.size() - 1);
        }
        atoms.add(atom);
    }

    private boolean startsAt(Atom.Compressed atom) {
        return SidPlan.of(at).filter(plan -> startsAt(plan, atom)).isPresent();
    }

    private static boolean startsAt(SidPlan plan, Atom.Compressed atom) {
        long usid = atom.usids().get(0);
        boolean own = usid == plan.usid() || plan.numbered() && (usid & ~0xfL) == plan.usid();
        return own && atom.block().equals(plan.srv6().block());
    }

    /** Is true if the last atom is just the uSID of the packet's node. */
    private boolean endsAtNode(List<Atom> path) {
        return !path.isEmpty()
                && rules.canVisit(at.name())
                && path.get(path.size() - 1).equals(atom(at));
    }
}
