// SPDX-License-Identifier: Apache-2.0
package org.sextant.northbound.audit;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.IOException;
import java.io.InputStream;
import java.net.DatagramPacket;
import java.net.DatagramSocket;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.SocketTimeoutException;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.DisplayNameGeneration;
import org.junit.jupiter.api.DisplayNameGenerator.ReplaceUnderscores;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@DisplayNameGeneration(ReplaceUnderscores.class)
@Timeout(30)
class SyslogTest {
    /** RFC 5424, 6: PRI VERSION TIMESTAMP HOSTNAME APP-NAME PROCID MSGID STRUCTURED-DATA MSG; facility 13, severity 5. */
    private static final String MESSAGE =
            "<109>1 [0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9:.]+Z \\S+ sextant [0-9]+ change - \\{\"event\":\"change\",\"user\":\"%s\"}";

    private static ObjectNode line(String user) {
        return JsonNodeFactory.instance.objectNode().put("event", "change").put("user", user);
    }

    @Test
    void a_line_is_a_datagram() throws IOException {
        try (DatagramSocket collector = new DatagramSocket(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0));
                Syslog syslog = new Syslog(URI.create("udp://127.0.0.1:" + collector.getLocalPort()))) {
            syslog.accept(line("änn"));
            DatagramPacket packet = new DatagramPacket(new byte[2000], 2000);
            collector.receive(packet);
            assertThat(new String(packet.getData(), 0, packet.getLength(), StandardCharsets.UTF_8))
                    .matches(MESSAGE.formatted("änn"));
        }
    }

    @Test
    void over_tcp_octets_are_counted_and_a_collector_that_comes_back_gets_what_follows() throws IOException {
        try (ServerSocket collector = new ServerSocket(0, 5, InetAddress.getLoopbackAddress());
                Syslog syslog = new Syslog(URI.create("tcp://127.0.0.1:" + collector.getLocalPort()))) {
            syslog.accept(line("änn"));
            syslog.accept(line("bob"));
            try (Socket connection = collector.accept()) {
                assertThat(frame(connection)).matches(MESSAGE.formatted("änn"));
                assertThat(frame(connection)).matches(MESSAGE.formatted("bob"));
            }
            collector.setSoTimeout(100);
            Socket again = null;
            while (again == null) { // until the sender notices that the collector is gone
                syslog.accept(line("eve"));
                again = accepted(collector);
            }
            try (Socket connection = again) {
                assertThat(frame(connection)).matches(MESSAGE.formatted("eve"));
            }
        }
    }

    private static Socket accepted(ServerSocket collector) throws IOException {
        try {
            return collector.accept();
        } catch (SocketTimeoutException nobody) {
            return null;
        }
    }

    private static String frame(Socket connection) throws IOException {
        InputStream in = connection.getInputStream();
        int length = 0;
        for (int read = in.read(); read != ' '; read = in.read()) {
            length = 10 * length + read - '0';
        }
        return new String(in.readNBytes(length), StandardCharsets.UTF_8);
    }
}
