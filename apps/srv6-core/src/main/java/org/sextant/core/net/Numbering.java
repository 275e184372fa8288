// SPDX-License-Identifier: Apache-2.0
package org.sextant.core.net;

import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.LongStream;
import org.sextant.core.ip.IpPrefix;

/**
 * Settles which nodes the uSID paper's /44 numbering applies to (VI-B). A node with uSID 0x0300 would decapsulate
 * packets to 0x0301; if 0x0301 is another node, that node must win.
 */
final class Numbering {
    private static final long NIBBLE = 0xf;

    private Numbering() {}

    static List<Node> settle(Collection<Node> nodes) {
        Map<IpPrefix, Set<Long>> taken = new HashMap<>();
        nodes.forEach(node -> node.srv6()
                .ifPresent(srv6 -> LongStream.concat(LongStream.of(srv6.usid()), srv6.repairUsid().stream())
                        .filter(usid -> (usid & NIBBLE) != 0)
                        .forEach(usid -> taken.computeIfAbsent(srv6.block(), block -> new HashSet<>())
                                .add(usid & ~NIBBLE))));
        return nodes.stream()
                .map(node -> node.srv6()
                        .filter(srv6 -> srv6.numbered()
                                && taken.getOrDefault(srv6.block(), Set.of()).contains(srv6.usid()))
                        .map(srv6 -> with(node, srv6.unnumbered()))
                        .orElse(node))
                .toList();
    }

    private static Node with(Node node, Srv6 srv6) {
        return new Node(
                node.name(),
                node.deviceId(),
                node.management(),
                node.pipeconf(),
                Optional.of(srv6),
                node.ports(),
                node.location());
    }
}
