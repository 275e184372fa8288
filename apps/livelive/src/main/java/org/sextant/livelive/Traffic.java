// SPDX-License-Identifier: Apache-2.0
package org.sextant.livelive;

import java.util.Optional;

/**
 * The packets of a flow between two ends; empty fields match all.
 *
 * @param protocol the IP protocol number behind extension headers
 * @param sourcePort of TCP or UDP
 * @param destinationPort of TCP or UDP
 */
public record Traffic(Optional<Integer> protocol, Optional<Integer> sourcePort, Optional<Integer> destinationPort) {
    public static final Traffic ALL = new Traffic(Optional.empty(), Optional.empty(), Optional.empty());
    public static final int TCP = 6;
    public static final int UDP = 17;

    /** @throws IllegalArgumentException if a number is out of range, or ports are given for another protocol */
    public Traffic {
        protocol.ifPresent(number -> range("protocol", number, 0, 255));
        sourcePort.ifPresent(number -> range("port", number, 1, 65535));
        destinationPort.ifPresent(number -> range("port", number, 1, 65535));
        boolean ports = sourcePort.isPresent() || destinationPort.isPresent();
        if (ports && protocol.filter(number -> number == TCP || number == UDP).isEmpty()) {
            throw new IllegalArgumentException("only TCP and UDP have ports");
        }
    }

    private static void range(String what, int number, int min, int max) {
        if (number < min || number > max) {
            throw new IllegalArgumentException(what + " " + number + " is not within " + min + " to " + max);
        }
    }

    /** The packets of the reverse direction. */
    public Traffic reversed() {
        return new Traffic(protocol, destinationPort, sourcePort);
    }

    /** Is true if some packet matches both. */
    public boolean overlaps(Traffic other) {
        return overlaps(protocol, other.protocol)
                && overlaps(sourcePort, other.sourcePort)
                && overlaps(destinationPort, other.destinationPort);
    }

    private static boolean overlaps(Optional<Integer> one, Optional<Integer> other) {
        return one.isEmpty() || other.isEmpty() || one.equals(other);
    }
}
