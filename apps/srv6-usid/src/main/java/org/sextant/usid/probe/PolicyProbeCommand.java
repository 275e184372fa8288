// SPDX-License-Identifier: Apache-2.0
package org.sextant.usid.probe;

import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.IOException;
import java.util.Optional;
import org.sextant.northbound.cli.AppCommand;
import org.sextant.usid.Policy;
import org.sextant.usid.app.PolicyApp;
import org.sextant.usid.text.ProbeText;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code srv6:policy-probe}. */
@Command(
        name = "policy-probe",
        description =
                "Has the headends of a policy ping hosts in what they steer, through the policy; exit status 1 if an"
                        + " answer is missing.",
        footer = {"", "Examples:", "  srv6:policy-probe gold", "  srv6:policy-probe gold --destination h31 --count 20"})
final class PolicyProbeCommand extends AppCommand<Policy> {
    private final PolicyProbes probes;

    @Parameters(paramLabel = "POLICY", description = "The policy's id; srv6:policies lists them.")
    private String id;

    @Option(names = "--count", paramLabel = "N", description = "Requests per prefix, 1 to 100; 5 if it is left out.")
    private String count;

    @Option(names = "--destination", paramLabel = "HOST", description = "Try this host or address only.")
    private String destination;

    PolicyProbeCommand(PolicyApp policies, PolicyProbes probes) {
        super(policies);
        this.probes = probes;
    }

    @Override
    protected int run() throws IOException {
        PolicyProbe probe = probes.probe(id, PolicyProbes.count(count), Optional.ofNullable(destination));
        ObjectNode view = probe.view();
        print(view, ProbeText.of(view));
        return probe.answered() ? 0 : 1;
    }
}
