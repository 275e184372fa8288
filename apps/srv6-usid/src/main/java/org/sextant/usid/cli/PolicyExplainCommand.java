// SPDX-License-Identifier: Apache-2.0
package org.sextant.usid.cli;

import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.IOException;
import java.io.InputStream;
import java.util.ArrayList;
import java.util.List;
import org.sextant.usid.Policy;
import org.sextant.usid.service.Policies;
import org.sextant.usid.service.PolicyBody;
import org.sextant.usid.text.PlanText;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Parameters;

/** {@code srv6:policy-explain}. */
@Command(
        name = "policy-explain",
        description = "Says what a policy does to the packets: of a stored one, or of a new one without adding it.",
        footer = {
            "",
            "Examples:",
            "  srv6:policy-explain gold",
            "  srv6:policy-explain h11 h31 l1 l2 l3 --one-way",
            "  srv6:policy-explain --file policy.json --json"
        })
final class PolicyExplainCommand extends PolicyCommand {
    @Parameters(
            index = "0",
            arity = "0..1",
            paramLabel = "POLICY or HOST",
            description = "The id of a stored policy; or the sending host of a new one.")
    private String first;

    @Parameters(index = "1", arity = "0..1", paramLabel = "HOST", description = "The receiving host.")
    private String to;

    @Parameters(index = "2..*", arity = "0..*", paramLabel = "NODE", description = "The nodes to visit.")
    private List<String> nodes = List.of();

    @Mixin
    private PolicyForm form;

    PolicyExplainCommand(Policies policies) {
        super(policies);
    }

    @Override
    protected boolean readsDocument() {
        return form.file != null;
    }

    @Override
    protected int run() throws IOException {
        ObjectNode explanation = stored()
                ? policies.plan(first).explanation()
                : policies.dryRun(policy()).explanation();
        print(explanation, PlanText.of(explanation));
        return 0;
    }

    private boolean stored() {
        return form.file == null && first != null && to == null;
    }

    private Policy policy() throws IOException {
        if (form.file == null) {
            if (nodes.isEmpty()) {
                throw misuse("give a policy's id; or two ends and nodes, for example h11 h31 l1 l2 l3; or --file");
            }
            return form.policy(first, to, nodes, null);
        }
        if (first != null || form.inWords()) {
            throw misuse("a file says all of it: leave out the hosts, nodes and what else describes the policy");
        }
        try (InputStream stream = form.open(in())) {
            return PolicyBody.read(stream)
                    .single()
                    .orElseThrow(() -> misuse("explain one policy at a time, not a list"));
        }
    }

    @Override
    protected Iterable<String> names(String label) {
        if (!label.equals("POLICY or HOST")) {
            return super.names(label);
        }
        List<String> both = new ArrayList<>();
        super.names("POLICY").forEach(both::add);
        super.names("HOST").forEach(both::add);
        return both;
    }
}
