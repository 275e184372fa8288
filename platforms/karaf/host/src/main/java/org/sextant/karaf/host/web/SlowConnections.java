// SPDX-License-Identifier: Apache-2.0
package org.sextant.karaf.host.web;

import java.time.Duration;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import org.eclipse.jetty.io.Connection;
import org.eclipse.jetty.io.ssl.SslConnection;
import org.eclipse.jetty.server.AbstractConnector;
import org.eclipse.jetty.server.HttpConnection;
import org.eclipse.jetty.util.component.AbstractLifeCycle;

/**
 * Closes connections on which a request's header, or a TLS handshake, does not come to an end. Jetty's own timeout is of silence only: a
 * byte now and then keeps such a connection for ever. Bodies have their own limit, where they are read.
 */
final class SlowConnections extends AbstractLifeCycle implements Connection.Listener {
    private final AbstractConnector connector;
    private final long mostNanos;
    private final Map<Connection, Beginning> open = new ConcurrentHashMap<>();

    SlowConnections(AbstractConnector connector, Duration most) {
        this.connector = connector;
        this.mostNanos = most.toNanos();
    }

    /**
     * The state of a connection when it was looked at.
     *
     * @param message which of its requests; -1: none has begun
     * @param since when that was seen first
     */
    private record Beginning(long message, long since) {}

    @Override
    public void onOpened(Connection connection) {
        open.put(connection, new Beginning(-1, System.nanoTime()));
    }

    @Override
    public void onClosed(Connection connection) {
        open.remove(connection);
    }

    @Override
    protected void doStart() {
        again();
    }

    private void again() {
        // Four looks: so a beginning may take a quarter longer than it may.
        connector.getScheduler().schedule(this::look, mostNanos / 4, TimeUnit.NANOSECONDS);
    }

    private void look() {
        if (!isRunning()) {
            return;
        }
        long now = System.nanoTime();
        open.forEach((connection, before) -> {
            long message = beginning(connection);
            if (message != before.message()) {
                open.replace(connection, before, new Beginning(message, now));
            } else if (message >= 0 && now - before.since() > mostNanos) {
                connection.close();
            }
        });
        again();
    }

    /** Which request's header is being read; -1 for none. */
    private static long beginning(Connection connection) {
        if (connection instanceof HttpConnection http) {
            return http.getParser().inHeaderState() && !http.getParser().isStart() ? http.getMessagesIn() : -1;
        }
        if (connection instanceof SslConnection tls) {
            // No byte of HTTP yet: the handshake is not done, or nothing was asked since.
            return tls.getDecryptedEndPoint().getConnection() instanceof HttpConnection http && http.getBytesIn() > 0
                    ? -1
                    : 0;
        }
        return -1;
    }
}
