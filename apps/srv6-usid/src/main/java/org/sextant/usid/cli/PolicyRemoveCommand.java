// SPDX-License-Identifier: Apache-2.0
package org.sextant.usid.cli;

import java.io.IOException;
import java.util.List;
import org.sextant.usid.service.Policies;
import org.sextant.usid.service.PolicyQuery;
import org.sextant.usid.service.Removal;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code srv6:policy-remove}. */
@Command(
        name = "policy-remove",
        description = "Removes policies, by their ids or by their ends.",
        footer = {
            "",
            "Examples:",
            "  srv6:policy-remove gold silver",
            "  srv6:policy-remove --source h11 --destination h31",
            "  srv6:policy-remove --source h11 --all"
        })
final class PolicyRemoveCommand extends PolicyCommand {
    @Parameters(arity = "0..*", paramLabel = "POLICY", description = "Ids; srv6:policies lists them.")
    private List<String> ids = List.of();

    @Option(
            names = "--source",
            paramLabel = "HOST",
            description = "From this host, address or prefix; of the general form the headend.")
    private String source;

    @Option(names = "--destination", paramLabel = "HOST", description = "To this host, address or prefix.")
    private String destination;

    @Option(
            names = "--nodes",
            paramLabel = "NODE,NODE…",
            description = "By these nodes as given, if several policies join the two ends.")
    private String nodes;

    @Option(names = "--all", description = "Every policy that matches; without ends, every policy.")
    private boolean all;

    PolicyRemoveCommand(Policies policies) {
        super(policies);
    }

    @Override
    protected int run() throws IOException {
        Removal removal = remove();
        print(removal.view(), text(removal));
        return 0;
    }

    private Removal remove() {
        boolean byEnds = source != null || destination != null || nodes != null;
        if (!ids.isEmpty() && (byEnds || all)) {
            throw misuse("give either ids or the ends, not both");
        }
        if (ids.isEmpty() && !byEnds && !all) {
            throw misuse("which policy is meant? give ids, --source and --destination, or --all");
        }
        if (!ids.isEmpty()) {
            return Removal.of(policies, ids, PATIENCE);
        }
        PolicyQuery query = PolicyQuery.parse(source, destination, nodes);
        return all
                ? Removal.matching(policies, query, PATIENCE)
                : Removal.of(policies, List.of(policies.only(query).id()), PATIENCE);
    }

    private static String text(Removal removal) {
        if (removal.removed().isEmpty()) {
            return "nothing to remove\n";
        }
        return "removed " + named(removal.removed())
                + (removal.leaving().isEmpty()
                        ? "\n"
                        : ", but nodes may still have entries of " + named(removal.leaving())
                                + "; they go when the node can be written\n");
    }

    private static String named(List<String> ids) {
        return ids.size() > 3 ? ids.size() + " policies" : String.join(", ", ids);
    }
}
