// SPDX-License-Identifier: Apache-2.0
package org.sextant.usid.cli;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.fasterxml.jackson.databind.util.TokenBuffer;
import java.io.IOException;
import java.io.InputStream;
import java.util.List;
import org.sextant.core.intent.IntentState;
import org.sextant.usid.Policy;
import org.sextant.usid.service.ListReceipt;
import org.sextant.usid.service.Policies;
import org.sextant.usid.service.PolicyBody;
import org.sextant.usid.service.PolicyView;
import org.sextant.usid.service.Receipt;
import org.sextant.usid.text.PolicyText;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code srv6:policy-add}. */
@Command(
        name = "policy-add",
        description = "Adds a policy, or changes a named one, and installs it.",
        footer = {
            "",
            "Examples:",
            "  srv6:policy-add h11 h31 l1 l2 l3",
            "  srv6:policy-add h11 h31 l1,l2,p7,p6,v4,l3 --name gold --one-way --family ipv6",
            "  srv6:policy-add --file policy.json"
        })
final class PolicyAddCommand extends PolicyCommand {
    @Parameters(index = "0", arity = "0..1", paramLabel = "HOST", description = "The sending host, address or prefix.")
    private String from;

    @Parameters(index = "1", arity = "0..1", paramLabel = "HOST", description = "The receiving one.")
    private String to;

    @Parameters(
            index = "2..*",
            arity = "0..*",
            paramLabel = "NODE",
            description = "The nodes to visit, headend first, egress last; by blanks or commas.")
    private List<String> nodes = List.of();

    @Option(names = "--name", paramLabel = "NAME", description = "The policy's id; else one is derived.")
    private String name;

    @Mixin
    private PolicyForm form;

    PolicyAddCommand(Policies policies) {
        super(policies);
    }

    @Override
    protected boolean readsDocument() {
        return form.file != null;
    }

    @Override
    protected int run() throws IOException {
        if (form.file != null) {
            if (from != null || name != null || form.inWords()) {
                throw misuse("a file says all of it: leave out the hosts, nodes and what else describes the policy");
            }
            return document();
        }
        if (nodes.isEmpty()) {
            throw misuse("give the two ends and the nodes, for example h11 h31 l1 l2 l3, or a document with --file");
        }
        return add(form.policy(from, to, nodes, name));
    }

    private int document() throws IOException {
        try (InputStream stream = form.open(in())) {
            PolicyBody body = PolicyBody.read(stream);
            return body.single().isPresent() ? add(body.single().get()) : add(body);
        }
    }

    private int add(Policy policy) throws IOException {
        Receipt receipt = Receipt.submit(policies, policy, PATIENCE);
        ObjectNode view = PolicyView.of(receipt.status());
        boolean installed = receipt.status().state() == IntentState.INSTALLED;
        print(view, PolicyText.of(view) + (installed ? "" : "stored, but not (fully) installed yet\n"));
        return 0;
    }

    private int add(PolicyBody list) throws IOException {
        ListReceipt receipt = ListReceipt.submit(policies, list, PATIENCE);
        TokenBuffer buffer = new TokenBuffer(new ObjectMapper(), false);
        receipt.write(buffer);
        JsonNode view = new ObjectMapper().readTree(buffer.asParser());
        print(view, PolicyText.ofList(view));
        return receipt.code() == 207 ? 1 : 0;
    }
}
