// SPDX-License-Identifier: Apache-2.0
package org.sextant.karaf.host.web;

import java.time.Duration;
import java.util.stream.Stream;
import org.eclipse.jetty.server.AbstractConnector;
import org.eclipse.jetty.server.ConnectionLimit;
import org.eclipse.jetty.server.Server;

/**
 * How much of the web container foreign clients may hold. A connection holds no thread but while it is answered, so
 * that idle ones cost a file each; of these a process has only so many, and the store needs some.
 *
 * @param connections at most at once; those that come after wait until others end
 * @param idle how long a connection may say nothing
 * @param crowded the same, when there are as many as there may be: so a client that holds them all loses them soon
 * @param header how long a request's beginning, or the TLS handshake before it, may take from its first byte to its last
 */
record Limits(int connections, Duration idle, Duration crowded, Duration header) {
    static final Limits USUAL =
            new Limits(1_000, Duration.ofSeconds(30), Duration.ofSeconds(2), Duration.ofSeconds(20));

    /** Before the connectors start. */
    void hold(Server server) {
        if (server.getBean(ConnectionLimit.class) != null) {
            return; // it was stopped, and starts again
        }
        AbstractConnector[] connectors = Stream.of(server.getConnectors())
                .filter(AbstractConnector.class::isInstance)
                .map(AbstractConnector.class::cast)
                .toArray(AbstractConnector[]::new);
        for (AbstractConnector connector : connectors) {
            connector.setIdleTimeout(idle.toMillis());
            connector.addBean(new SlowConnections(connector, header));
        }
        ConnectionLimit limit = new ConnectionLimit(connections, connectors);
        limit.setIdleTimeout(crowded.toMillis());
        server.addBean(limit);
    }
}
