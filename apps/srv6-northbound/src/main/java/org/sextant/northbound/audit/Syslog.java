// SPDX-License-Identifier: Apache-2.0
package org.sextant.northbound.audit;

import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.IOException;
import java.net.DatagramPacket;
import java.net.DatagramSocket;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.URI;
import java.net.UnknownHostException;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.sextant.core.Reason;
import org.sextant.core.calls.Daemons;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Copies of the trail for a collector elsewhere, which cannot be cut from here: RFC 5424 over UDP (RFC 5426) or TCP
 * with octets counted (RFC 6587, 3.4.1). No request waits for it; lines that a collector which is away does not get are
 * counted, and stay in the files.
 */
final class Syslog implements Consumer<ObjectNode>, AutoCloseable {
    /** Facility 13, log audit; severity 5, notice. */
    private static final String PRIORITY = "<109>1";

    private static final int WAITING = 10_000;
    private static final int PATIENCE_MILLIS = 5000;
    private static final Logger LOG = LoggerFactory.getLogger(Syslog.class);

    private final URI collector;
    private final String host;
    private final BlockingQueue<String> waiting = new ArrayBlockingQueue<>(WAITING);
    private final AtomicLong lost = new AtomicLong();
    private final Thread sender;
    private @Nullable Socket connection;

    Syslog(URI collector) {
        this.collector = collector;
        this.host = name();
        this.sender = Daemons.one("sextant-syslog").newThread(this::send);
        sender.start();
    }

    private static String name() {
        try {
            return InetAddress.getLocalHost().getHostName();
        } catch (UnknownHostException e) {
            return "-";
        }
    }

    @Override
    public void accept(ObjectNode line) {
        String event = line.path("event").asText("-");
        String message = PRIORITY + " " + Instant.now() + " " + host + " sextant "
                + ProcessHandle.current().pid() + " " + event + " - " + line;
        if (!waiting.offer(message)) {
            lost.incrementAndGet();
        }
    }

    private void send() {
        try {
            while (true) {
                send(waiting.take().getBytes(StandardCharsets.UTF_8));
            }
        } catch (InterruptedException closed) {
            disconnect();
        }
    }

    private void send(byte[] message) {
        try {
            if (collector.getScheme().equals("udp")) {
                datagram(message);
            } else {
                octets(message);
            }
            long before = lost.getAndSet(0);
            if (before > 0) {
                LOG.warn("syslog collector={} lost={}; the files of the audit trail have them", collector, before);
            }
        } catch (IOException e) {
            disconnect();
            if (lost.getAndIncrement() == 0) {
                LOG.warn("syslog collector={} not reached: {}", collector, Reason.of(e));
            }
        }
    }

    private void datagram(byte[] message) throws IOException {
        try (DatagramSocket socket = new DatagramSocket()) {
            InetSocketAddress to = new InetSocketAddress(collector.getHost(), collector.getPort());
            socket.send(new DatagramPacket(message, message.length, to));
        }
    }

    private void octets(byte[] message) throws IOException {
        Socket socket = connection;
        if (socket == null) {
            socket = new Socket();
            socket.connect(new InetSocketAddress(collector.getHost(), collector.getPort()), PATIENCE_MILLIS);
            connection = socket;
        }
        byte[] count = (message.length + " ").getBytes(StandardCharsets.US_ASCII);
        byte[] frame = new byte[count.length + message.length];
        System.arraycopy(count, 0, frame, 0, count.length);
        System.arraycopy(message, 0, frame, count.length, message.length);
        socket.getOutputStream().write(frame);
    }

    private void disconnect() {
        try {
            if (connection != null) {
                connection.close();
            }
        } catch (IOException gone) {
            LOG.debug("syslog: {}", gone.toString());
        }
        connection = null;
    }

    @Override
    public void close() {
        sender.interrupt();
    }
}
