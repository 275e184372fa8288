// SPDX-License-Identifier: Apache-2.0
package org.sextant.usid;

import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.stream.IntStream;
import org.sextant.core.table.FlowMatch;
import org.sextant.core.table.FlowMatch.Ports;
import org.sextant.kit.Endpoint;

/**
 * A flow that a policy steers, as an operator writes it (RFC 9256, 8.6); empty fields match all packets.
 *
 * @param at its index in the list {@code steering}
 * @param priority 0 to 99; a packet takes the matching flow of highest priority, of equal ones that which matches more
 *     of its bits
 * @param protocol an IP protocol number
 * @param sourcePorts, destinationPorts only with TCP and UDP
 * @param dscp 0 to 63
 */
public record SteeredFlow(
        int at,
        int priority,
        Optional<Endpoint> source,
        Optional<Endpoint> destination,
        OptionalInt protocol,
        Optional<Ports> sourcePorts,
        Optional<Ports> destinationPorts,
        OptionalInt dscp) {

    public static final int MAX_PRIORITY = 99;

    public SteeredFlow {
        Objects.requireNonNull(source);
        Objects.requireNonNull(destination);
        if (priority < 0 || priority > MAX_PRIORITY) {
            throw new IllegalArgumentException("priority " + priority + " is not within 0 to " + MAX_PRIORITY);
        }
        boolean ports = sourcePorts.isPresent() || destinationPorts.isPresent();
        if (ports && !FlowMatch.hasPorts(protocol)) {
            throw new IllegalArgumentException("only TCP and UDP have ports");
        }
        if (source.isEmpty() && protocol.isEmpty() && dscp.isEmpty()) {
            throw new IllegalArgumentException("a flow is more than a destination");
        }
    }

    /** Its JSON pointer in the policy. */
    public String pointer() {
        return "/steering/" + at;
    }

    SteeredFlow movedTo(int index) {
        return new SteeredFlow(index, priority, source, destination, protocol, sourcePorts, destinationPorts, dscp);
    }

    /** Is true if both match the same packets, at any index and priority. */
    boolean repeats(SteeredFlow other) {
        return equals(new SteeredFlow(
                at,
                other.priority,
                other.source,
                other.destination,
                other.protocol,
                other.sourcePorts,
                other.destinationPorts,
                other.dscp));
    }

    /**
     * The index in the list {@code steering} of an element that is not a flow.
     *
     * @param index among those that are not
     */
    public static int place(int index, List<SteeredFlow> flows) {
        return IntStream.iterate(0, i -> i + 1)
                .filter(place -> flows.stream().noneMatch(flow -> flow.at() == place))
                .skip(index)
                .findFirst()
                .orElseThrow();
    }
}
