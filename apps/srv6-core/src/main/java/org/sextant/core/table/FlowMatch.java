// SPDX-License-Identifier: Apache-2.0
package org.sextant.core.table;

import java.util.Optional;
import java.util.OptionalInt;
import org.sextant.core.filter.Constraint;
import org.sextant.core.ip.IpPrefix;

/**
 * The packets of a {@link FlowSteering}; empty fields match all.
 *
 * @param priority 1 or more; the highest wins
 * @param source of the family of {@code destination}; length 0 matches any
 * @param protocol the IP protocol number behind extension headers
 * @param sourcePorts, destinationPorts of TCP and UDP, and of no other protocol; fragments behind the first have none
 * @param dscp six bits
 */
public record FlowMatch(
        int priority,
        IpPrefix source,
        IpPrefix destination,
        OptionalInt protocol,
        Optional<Ports> sourcePorts,
        Optional<Ports> destinationPorts,
        OptionalInt dscp) {

    /** The largest priority of rows: a kernel has so many numbers for rules between those of others. */
    public static final int MAX_PRIORITY = 30300;

    private static final int TCP = 6;
    private static final int UDP = 17;

    public FlowMatch {
        Range.require("priority", priority, 1, MAX_PRIORITY);
        if (source.isIpv6() != destination.isIpv6()) {
            throw new IllegalArgumentException(source + " and " + destination + " are of two families");
        }
        protocol.ifPresent(number -> Range.require("protocol", number, 1, 255));
        dscp.ifPresent(value -> Range.require("DSCP", value, 0, 63));
        if ((sourcePorts.isPresent() || destinationPorts.isPresent()) && !hasPorts(protocol)) {
            throw new IllegalArgumentException("only TCP and UDP have ports: a flow with ports names one of them");
        }
    }

    public static boolean hasPorts(OptionalInt protocol) {
        return protocol.isPresent() && (protocol.getAsInt() == TCP || protocol.getAsInt() == UDP);
    }

    /** A range of ports, both ends included. No rule of a Linux node can name port 65535. */
    public record Ports(int first, int last) {
        public static final int MAX = 65534;

        public Ports {
            Range.require("port", first, 1, MAX);
            Range.require("port", last, first, MAX);
        }

        /** @throws IllegalArgumentException if {@code text} is neither {@code 443} nor {@code 5000-5999} */
        public static Ports parse(String text) {
            if (!text.matches("[0-9]{1,5}(-[0-9]{1,5})?")) {
                throw new IllegalArgumentException("\"" + text + "\" is neither a port nor a range of ports");
            }
            String[] ends = text.split("-");
            return new Ports(Integer.parseInt(ends[0]), Integer.parseInt(ends[ends.length - 1]));
        }

        Constraint interval() {
            return new Constraint.Interval(first, last);
        }

        static Ports of(Constraint interval) {
            Constraint.Interval ends = (Constraint.Interval) interval;
            return new Ports(ends.first(), ends.last());
        }

        @Override
        public String toString() {
            return first == last ? Integer.toString(first) : first + "-" + last;
        }
    }

    @Override
    public String toString() {
        StringBuilder text = new StringBuilder("priority " + priority + " " + source + " " + destination);
        protocol.ifPresent(number -> text.append(" ip_protocol ").append(number));
        sourcePorts.ifPresent(ports -> text.append(" l4_src_port ").append(ports));
        destinationPorts.ifPresent(ports -> text.append(" l4_dst_port ").append(ports));
        dscp.ifPresent(value -> text.append(" dscp ").append(value));
        return text.toString();
    }
}
