// SPDX-License-Identifier: Apache-2.0
package org.sextant.kit.path;

import java.util.List;
import org.sextant.core.ProblemException;
import org.sextant.core.net.Link;
import org.sextant.core.net.Node;
import org.sextant.core.underlay.Underlay;
import org.sextant.kit.Findings;

/** Resolves hops from a headend, up to the first that is a problem. */
public record Hops(Underlay underlay, Findings findings, Firewalls firewalls, Bindings bindings) {

    /** Paths that go through no firewall and into no policy. */
    public Hops(Underlay underlay, Findings findings) {
        this(underlay, findings, Firewalls.NONE, Bindings.NONE);
    }

    /**
     * The path through all hops, or up to the first that is a problem.
     *
     * @param field JSON pointer of the list of hops
     */
    public AtomPath from(Node headend, List<Hop> hops, String field) {
        AtomPath path = new AtomPath(underlay, findings, headend);
        for (int i = 0; i < hops.size(); i++) {
            int before = findings.count();
            step(path, hops.get(i), field + "/" + i);
            if (findings.count() > before) {
                return path;
            }
            path.wentTo(field + "/" + i);
        }
        return path;
    }

    private void step(AtomPath path, Hop hop, String pointer) {
        Resolver resolver = new Resolver(underlay.network(), findings);
        if (path.closed()) {
            findings.invalid(
                    pointer, "the hop before decapsulates, and nothing follows behind it", "end the list there");
        } else if (hop instanceof Hop.ToNode to) {
            resolver.node(to.node(), pointer).ifPresent(node -> {
                if (to.loose()) {
                    path.loose(node, pointer);
                } else {
                    path.strict(node, pointer);
                }
            });
        } else if (hop instanceof Hop.OverLink over) {
            resolver.link(over.link(), pointer)
                    .ifPresent(link -> path.over(link, at(link.from()), at(link.to()), over.loose(), pointer));
        } else if (hop instanceof Hop.RawSid raw) {
            new VerbatimHops(underlay, findings, path).raw(raw, pointer);
        } else if (hop instanceof Hop.Firewall through) {
            firewall(path, through, pointer);
        } else if (hop instanceof Hop.Binding into) {
            binding(path, into, pointer);
        } else if (hop instanceof Hop.Usids list) {
            new VerbatimHops(underlay, findings, path).listed(list, pointer);
        }
    }

    private void firewall(AtomPath path, Hop.Firewall hop, String pointer) {
        try {
            path.through(firewalls.find(hop.id(), pointer + "/firewall"), hop.args(), hop.loose(), pointer);
        } catch (ProblemException e) {
            findings.add(e.problems());
        }
    }

    private void binding(AtomPath path, Hop.Binding hop, String pointer) {
        try {
            path.into(bindings.find(hop.policy(), pointer + "/policy"), hop.loose(), pointer);
        } catch (ProblemException e) {
            findings.add(e.problems());
        }
    }

    private Node at(Link.End end) {
        return underlay.network().node(end.node()).orElseThrow();
    }
}
