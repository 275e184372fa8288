// SPDX-License-Identifier: Apache-2.0
package org.sextant.core.port;

import java.time.Duration;
import java.util.Objects;
import java.util.Optional;
import org.sextant.core.ip.IpAddress;

/**
 * Makes a node send ICMP echo requests of its own (RFC 792; RFC 4443, section 4), through the same tables as forwarded
 * packets. Not one of the four ports an engine needs: it is for tests of reachability, and a host that cannot send
 * leaves the service out.
 */
public interface Pinger {

    /** Sends them and waits for the replies; a node that cannot is an answer, too. */
    Echoes ping(String node, Ping ping);

    /**
     * The echo requests to send.
     *
     * @param source an address of the node
     * @param patience for replies, after the last request
     */
    record Ping(IpAddress destination, IpAddress source, int count, Duration interval, Duration patience) {
        public Ping {
            Objects.requireNonNull(destination);
            Objects.requireNonNull(source);
            if (count < 1) {
                throw new IllegalArgumentException("a count of " + count);
            }
        }

        /** The duration without any reply. */
        public Duration longest() {
            return interval.multipliedBy(count - 1L).plus(patience);
        }
    }

    /**
     * The result of the requests.
     *
     * @param roundTrip empty if nothing was received
     * @param failure why nothing, or not all, was sent
     */
    record Echoes(int sent, int received, Optional<RoundTrip> roundTrip, Optional<String> failure) {

        public static Echoes failed(String why) {
            return new Echoes(0, 0, Optional.empty(), Optional.of(why));
        }
    }

    /** Times from a request to its reply. */
    record RoundTrip(Duration shortest, Duration mean, Duration longest) {}
}
