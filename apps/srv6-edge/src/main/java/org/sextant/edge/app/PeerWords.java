// SPDX-License-Identifier: Apache-2.0
package org.sextant.edge.app;

import java.util.List;
import org.sextant.edge.Peer;
import org.sextant.kit.app.AppWords;
import org.sextant.kit.app.DocumentWords;
import org.sextant.kit.app.Filter;
import org.sextant.kit.app.Operation;

/** The names of peers in REST and the shell, below those of the edge. */
final class PeerWords implements AppWords {
    static final List<Filter<Peer>> FILTERS = List.of(new Filter<>(
            "node",
            "NODE",
            "a node at whose ports they are let in",
            "Only those let in at this node.",
            "at",
            false,
            text -> (peer, network) ->
                    peer.ports().stream().anyMatch(port -> port.node().equals(text))));

    @Override
    public String one() {
        return "peer";
    }

    @Override
    public String many() {
        return "peers";
    }

    @Override
    public String path() {
        return "edge/peers";
    }

    @Override
    public String schema() {
        return "EdgePeer";
    }

    @Override
    public String operationMany() {
        return "EdgePeers";
    }

    @Override
    public String command() {
        return "edge-peer";
    }

    @Override
    public DocumentWords document() {
        return new DocumentWords("edge-peer", "name");
    }

    @Override
    public String listCommand() {
        return "edge-peers";
    }

    @Override
    public String conflict() {
        return "another peer has that source at that port";
    }

    @Override
    public List<Example> examples() {
        return List.of(new Example("an SRv6 speaker of a neighbor", """
                {"name": "office", "sources": ["2001:db8:a::/48"], "ports": ["l1/3"]}"""));
    }

    @Override
    public List<String> usage(Operation operation) {
        return switch (operation) {
            case ADD -> List.of("office --source 2001:db8:a::/48 --port l1/3", "--file peer.json --dry-run");
            case LIST -> List.of("", "--node l1 --json");
            case GET -> List.of("office");
            case PLAN -> List.of("office", "--file peer.json --json");
            default -> List.of("office", "--all");
        };
    }
}
