// SPDX-License-Identifier: Apache-2.0
package org.sextant.karaf.host.web;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.SocketException;
import java.net.SocketTimeoutException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import javax.servlet.http.HttpServletRequest;
import javax.servlet.http.HttpServletResponse;
import org.eclipse.jetty.server.Request;
import org.eclipse.jetty.server.Server;
import org.eclipse.jetty.server.ServerConnector;
import org.eclipse.jetty.server.handler.AbstractHandler;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayNameGeneration;
import org.junit.jupiter.api.DisplayNameGenerator.ReplaceUnderscores;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@DisplayNameGeneration(ReplaceUnderscores.class)
@Timeout(60)
class LimitsTest {
    private static final String ASKED = "GET / HTTP/1.1\r\nHost: x\r\n\r\n";
    private static final int MOST = 20;

    private final Server server = new Server(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0));
    private final List<Socket> clients = new ArrayList<>();

    @BeforeEach
    void start() throws Exception {
        new Limits(MOST, Duration.ofSeconds(30), Duration.ofMillis(500), Duration.ofSeconds(2)).hold(server);
        server.setHandler(new AbstractHandler() {
            @Override
            public void handle(String target, Request base, HttpServletRequest request, HttpServletResponse response)
                    throws IOException {
                response.getOutputStream().print("yes");
                base.setHandled(true);
            }
        });
        server.start();
    }

    @AfterEach
    void stop() throws Exception {
        for (Socket client : clients) {
            client.close();
        }
        server.stop();
    }

    @Test
    void a_header_that_does_not_end_is_cut_off_though_there_is_a_byte_now_and_then() throws IOException {
        Socket slow = client();
        slow.getOutputStream().write("GET / HTTP/1.1\r\nX-Slow: ".getBytes(StandardCharsets.US_ASCII));
        Socket idle = client();
        ask(idle);
        Socket second = client(); // one whose first request was quick
        ask(second);
        second.getOutputStream().write('G');
        long begun = System.nanoTime();
        assertThat(dribbles(slow)).isLessThan(Duration.ofSeconds(10));
        assertThat(Duration.ofNanos(System.nanoTime() - begun)).isGreaterThan(Duration.ofSeconds(1));
        dribbles(second);
        ask(idle); // silence is something else, and has another limit
    }

    @Test
    void who_holds_as_many_connections_as_there_may_be_keeps_nobody_out() throws IOException {
        for (int i = 0; i < MOST; i++) {
            ask(client());
        }
        long begun = System.nanoTime();
        ask(client());
        assertThat(Duration.ofNanos(System.nanoTime() - begun)).isLessThan(Duration.ofSeconds(10));
    }

    /** Sends bytes until that is not taken any more, and says how long it was. */
    private static Duration dribbles(Socket client) throws IOException {
        long begun = System.nanoTime();
        client.setSoTimeout(100);
        while (Duration.ofNanos(System.nanoTime() - begun).toSeconds() < 30) {
            try {
                client.getOutputStream().write('x');
                if (client.getInputStream().read() < 0) {
                    return Duration.ofNanos(System.nanoTime() - begun);
                }
            } catch (SocketTimeoutException e) {
                // It listens still.
            } catch (SocketException e) {
                return Duration.ofNanos(System.nanoTime() - begun);
            }
        }
        throw new AssertionError("it still listens after 30 s");
    }

    private Socket client() throws IOException {
        Socket client = new Socket("127.0.0.1", ((ServerConnector) server.getConnectors()[0]).getLocalPort());
        clients.add(client);
        return client;
    }

    private static void ask(Socket client) throws IOException {
        client.setSoTimeout(20_000);
        client.getOutputStream().write(ASKED.getBytes(StandardCharsets.US_ASCII));
        InputStream in = client.getInputStream();
        StringBuilder answer = new StringBuilder();
        while (!answer.toString().endsWith("yes")) {
            int next = in.read();
            assertThat(next).as("after " + answer).isNotNegative();
            answer.append((char) next);
        }
        assertThat(answer.toString()).startsWith("HTTP/1.1 200");
    }
}
