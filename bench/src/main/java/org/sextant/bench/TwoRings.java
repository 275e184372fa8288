// SPDX-License-Identifier: Apache-2.0
package org.sextant.bench;

import java.util.Collections;
import java.util.List;
import java.util.Random;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.sextant.core.net.Network;
import org.sextant.core.net.NetworkFile;

/**
 * Two rings through all nodes, one in a random order: every node has four links, and none is far. IGP metrics are nearly equal, delays
 * differ by a factor of ten, a tenth of the links is red. Always the same network.
 */
final class TwoRings {
    private TwoRings() {}

    /** A network of nodes n0, n1 and on. */
    static Network of(int nodes) {
        Random random = new Random(7);
        List<Integer> order = IntStream.range(0, nodes).boxed().collect(Collectors.toList());
        Collections.shuffle(order, random);
        StringBuilder devices = new StringBuilder();
        StringBuilder links = new StringBuilder();
        for (int node = 0; node < nodes; node++) {
            devices.append(node == 0 ? "" : ",")
                    .append(String.format("\"device:n%d\":{\"srv6\":{\"uSid\":\"%04x\"}}", node, 0x10 * (node + 1)));
            link(links, random, node, 1, (node + 1) % nodes, 2);
            link(links, random, order.get(node), 3, order.get((node + 1) % nodes), 4);
        }
        return NetworkFile.parse(
                        "{\"apps\":{\"org.sextant.srv6\":{\"srv6\":{\"block\":\"fcbb:bbbb::/32\"}}},\"devices\":{"
                                + devices + "},\"links\":{" + links + "}}")
                .orThrow();
    }

    private static void link(StringBuilder links, Random random, int from, int fromPort, int to, int toPort) {
        links.append(links.length() == 0 ? "" : ",")
                .append(String.format(
                        "\"device:n%d/%d-device:n%d/%d\":{\"basic\":{\"bidirectional\":true},\"srv6\":{"
                                + "\"igpMetric\":%d,\"delayMicros\":%d,\"affinity\":[%s]}}",
                        from,
                        fromPort,
                        to,
                        toPort,
                        10 + random.nextInt(3),
                        500 + random.nextInt(4500),
                        random.nextInt(10) == 0 ? "\"red\"" : ""));
    }
}
