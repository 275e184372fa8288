// SPDX-License-Identifier: Apache-2.0
package org.sextant.usid.cli;

import com.fasterxml.jackson.databind.node.ArrayNode;
import java.io.IOException;
import org.sextant.core.intent.IntentStatus;
import org.sextant.northbound.answer.Page;
import org.sextant.northbound.cli.Paging;
import org.sextant.usid.Policy;
import org.sextant.usid.service.Policies;
import org.sextant.usid.service.PolicyQuery;
import org.sextant.usid.service.PolicyView;
import org.sextant.usid.text.PolicyText;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** {@code srv6:policies}. */
@Command(
        name = "policies",
        description = "Lists policies with their state.",
        footer = {
            "",
            "Hops of the general form: (v8) is a loose one, 3x(…) a list with its weight.",
            "",
            "Examples:",
            "  srv6:policies",
            "  srv6:policies --source h11 --json",
            "  srv6:policies --limit 100"
        })
final class PoliciesCommand extends PolicyCommand {
    @Option(
            names = "--source",
            paramLabel = "HOST",
            description = "Only from this host, address or prefix; of the general form the headend.")
    private String source;

    @Option(names = "--destination", paramLabel = "HOST", description = "Only to this host, address or prefix.")
    private String destination;

    @Mixin
    private Paging paging;

    PoliciesCommand(Policies policies) {
        super(policies);
    }

    @Override
    protected int run() throws IOException {
        Page.Part<IntentStatus<Policy>> part =
                paging.page().of(policies.find(PolicyQuery.parse(source, destination, null)), IntentStatus::id);
        ArrayNode view = PolicyView.of(part.elements());
        print(view, PolicyText.list(view));
        part.next().ifPresent(next -> note(Paging.more(next)));
        return 0;
    }
}
