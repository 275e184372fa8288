// SPDX-License-Identifier: Apache-2.0
package org.sextant.kit.path;

import java.util.List;
import java.util.Optional;
import org.sextant.core.filter.Verdict;
import org.sextant.core.sid.Container;
import org.sextant.core.sid.Program;
import org.sextant.core.sid.Trace;
import org.sextant.core.table.Sera;
import org.sextant.kit.Findings;

/**
 * A firewall on a path, and the hop behind it.
 *
 * @param pointer the field that names it
 * @param upTo the number of atoms of the path up to and including it
 * @param next the field that names the hop behind it; empty at the end of the path
 * @param atoms of that hop
 */
public record FirewallHop(FirewallHandle firewall, String pointer, int upTo, Optional<String> next, int atoms) {

    FirewallHop(FirewallHandle firewall, String pointer, int upTo) {
        this(firewall, pointer, upTo, Optional.empty(), 0);
    }

    /** This passing with its next hop, if the hop that ends here is the one behind it. */
    FirewallHop followedBy(String hop, int upToHop) {
        return next.isPresent() || hop.equals(pointer)
                ? this
                : new FirewallHop(firewall, pointer, upTo, Optional.of(hop), upToHop - upTo);
    }

    /**
     * Reports verdicts with an unintended destination: past a part of the next hop, or to all of a last container
     * instead of its last function.
     *
     * @param packets the packets in the words of a message: "IPv6 packets from h11 to h31"
     */
    public void check(String packets, Trace trace, List<Container> path, Findings findings) {
        for (Trace.Branch branch : trace.branches()) {
            if (!concerns(branch)) {
                continue;
            }
            Optional<Verdict> said = said(branch);
            if (said.equals(Optional.of(Verdict.SKIP_NEXT)) && next.isPresent() && atoms != 1) {
                findings.unfeasible(
                        next.get(),
                        sentence(branch) + ", but this hop takes " + atoms
                                + " uSIDs or SIDs of which only the first would be skipped",
                        "reach the hop loosely: write \"loose\": true");
            }
            if (said.equals(Optional.of(Verdict.GO_LAST))) {
                last(branch, path.get(path.size() - 1), findings);
            }
        }
        if (trace.branches().stream().anyMatch(this::concerns)
                && trace.branches().stream().filter(this::concerns).allMatch(Trace.Branch::drops)) {
            findings.warn("firewall \"" + firewall.id() + "\" at " + firewall.node() + " drops all " + packets);
        }
    }

    private void last(Trace.Branch branch, Container end, Findings findings) {
        Sera sera = firewall.sera();
        boolean foreign = !end.sid()
                .truncate(sera.blockLength())
                .equals(branch.destinationAddress().truncate(sera.blockLength()));
        if (foreign && end.atoms().size() > 1) {
            findings.unfeasible(
                    pointer,
                    sentence(branch) + ", but the last container " + end.sid()
                            + " is of another block and holds several functions, all of which would be visited",
                    "end the path in a container of its own, or of the firewall's block");
        }
    }

    private String sentence(Trace.Branch branch) {
        return "rule \"" + branch.rules().get(0) + "\" of firewall \"" + firewall.id() + "\" at " + firewall.node()
                + " says " + branch.verdict().text();
    }

    private Optional<Verdict> said(Trace.Branch branch) {
        return branch.verdict() == Verdict.EVAL_ARGS
                ? Verdict.ofArguments(Program.arguments(firewall.sera(), branch.destinationAddress()))
                : Optional.of(branch.verdict());
    }

    /** Is true if the branch is at this firewall. */
    public boolean concerns(Trace.Branch branch) {
        return branch.node().equals(firewall.node()) && firewall.sid().sid().contains(branch.destinationAddress());
    }
}
