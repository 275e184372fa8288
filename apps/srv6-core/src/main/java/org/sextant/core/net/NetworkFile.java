// SPDX-License-Identifier: Apache-2.0
package org.sextant.core.net;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.sextant.core.Problem;
import org.sextant.core.ProblemException;
import org.sextant.core.json.BoundedJson;

/**
 * The network description: one JSON document in the shape of ONOS netcfg, so that the same file works on both hosts.
 *
 * <pre>
 *   protection                   link, node, srlg: all nodes repair these failures ({@link Protection}); else none
 *   measuredDelay                true: where nodes measure the delay of a link it counts instead of delayMicros ({@link
 *                                AnnouncedDelay}); false unless said otherwise
 *   waitToRestoreMillis          for how long a link that was down has to be up before it is used again; 10000 unless said
 *                                otherwise ({@link LinkRestoration})
 *   drainAfterMillis             for how long a node has to be without a session before paths leave it; 600000 unless said
 *                                otherwise, 0: they never do ({@link SessionWatch})
 *   apps/org.sextant.srv6/srv6   defaults for all nodes: block, format, dropSrh, knownSources; protection, waitToRestoreMillis and
 *                                drainAfterMillis, where the top level is another's (ONOS)
 *   devices/ID/basic             name, managementAddress, pipeconf, locType with gridX, gridY or longitude, latitude
 *   devices/ID/srv6              uSid (hexadecimal, or the uN SID as an address), block, format, encapSource,
 *                                gtpLocator; dropSrh (false unless said otherwise), knownSources (true): {@link EdgeSettings};
 *                                protection, instead of that of all nodes
 *   ports/ID/PORT                interfaces: name, mac, ips; srv6: mtuBytes, role (external, internal; else {@link PortRoles})
 *   links/ID/PORT-ID/PORT        basic: bidirectional (true unless said otherwise)
 *                                srv6: igpMetric, teMetric, delayMicros, mtuBytes, capacityKbps, srlg, affinity
 *   hosts/MAC/None               basic: name, ips, locations; NAME/None for a host whose MAC address is not known
 * </pre>
 *
 * <p>ONOS files carry more; other keys are passed over. Faults of the content never raise an exception: they are a list
 * of problems with JSON pointers, all of them at once.
 */
public final class NetworkFile {
    /** The largest document in bytes. */
    public static final int MAX_BYTES = 16 << 20;

    private static final int MAX_DEPTH = 32;
    private static final int MAX_PROBLEMS = 200;
    private static final BoundedJson JSON = new BoundedJson(MAX_BYTES, MAX_DEPTH);

    private NetworkFile() {}

    /** @param network its readable part; complete only if there are no problems */
    public record Reading(Network network, List<Problem> problems) {
        public Reading {
            Objects.requireNonNull(network);
            problems = List.copyOf(problems);
        }

        /** @throws ProblemException if there is any problem */
        public Network orThrow() {
            if (!problems.isEmpty()) {
                throw new ProblemException(problems);
            }
            return network;
        }
    }

    /** Reads a document in UTF-8. */
    public static Reading parse(byte[] json) {
        try {
            return read(JSON.read(json));
        } catch (ProblemException e) {
            return new Reading(Network.EMPTY, e.problems());
        }
    }

    public static Reading parse(String json) {
        return parse(json.getBytes(StandardCharsets.UTF_8));
    }

    /** Reads a document that is JSON already. */
    public static Reading read(JsonNode document) {
        List<Problem> problems = new ArrayList<>();
        Network network = new NetworkReader(problems).read(document);
        int more = problems.size() - MAX_PROBLEMS;
        if (more > 0) {
            problems.subList(MAX_PROBLEMS, problems.size()).clear();
            problems.add(new Problem(
                    Problem.Code.INVALID, "", "there are " + more + " more problems", "correct these first"));
        }
        return new Reading(network, problems);
    }

    /**
     * The document of a network; reading it gives an equal network, as long as all ports and links are up: the
     * description has no word for their state.
     */
    public static ObjectNode write(Network network) {
        return NetworkWriter.write(network);
    }
}
