// SPDX-License-Identifier: Apache-2.0
package org.sextant.usid.cli;

import java.io.IOException;
import java.util.List;
import org.apache.karaf.shell.api.action.Option;
import org.sextant.usid.Policy;

/** A command that takes a whole policy, in words or as a file. */
abstract class PolicyFormCommand extends PolicyCommand {
    @Option(
            name = "--file",
            aliases = "-f",
            description = "File with the policy's JSON, of either form, on the controller's machine")
    String file;

    @Option(name = "--return", description = "Nodes of the way back, separated by commas; else the same in reverse")
    String back;

    @Option(name = "--one-way", description = "No way back")
    boolean oneWay;

    @Option(name = "--decap", description = "f00d (default), uDT, vrf:N or numbering")
    String decap;

    @Option(name = "--family", description = "Only ipv6 or ipv4")
    String family;

    /**
     * @param words two hosts and the nodes, if there is no file
     * @param name the policy's id, null for one that is derived
     */
    Policy policy(List<String> words, String name) throws IOException {
        return new PolicyArguments(words, file, back, oneWay, decap, family, name).policy();
    }
}
