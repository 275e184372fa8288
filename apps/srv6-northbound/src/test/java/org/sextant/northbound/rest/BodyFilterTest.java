// SPDX-License-Identifier: Apache-2.0
package org.sextant.northbound.rest;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Optional;
import javax.servlet.DispatcherType;
import javax.servlet.Filter;
import javax.servlet.FilterChain;
import javax.servlet.FilterConfig;
import javax.servlet.ServletException;
import javax.servlet.ServletRequest;
import javax.servlet.ServletResponse;
import javax.servlet.http.HttpServlet;
import javax.servlet.http.HttpServletRequest;
import javax.servlet.http.HttpServletRequestWrapper;
import javax.servlet.http.HttpServletResponse;
import org.eclipse.jetty.server.Server;
import org.eclipse.jetty.server.ServerConnector;
import org.eclipse.jetty.servlet.FilterHolder;
import org.eclipse.jetty.servlet.ServletContextHandler;
import org.eclipse.jetty.servlet.ServletHolder;
import org.eclipse.jetty.util.thread.QueuedThreadPool;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.DisplayNameGeneration;
import org.junit.jupiter.api.DisplayNameGenerator.ReplaceUnderscores;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** The filter in the web container, with as few threads as that can have, and clients that speak HTTP byte by byte. */
@DisplayNameGeneration(ReplaceUnderscores.class)
@Timeout(60)
class BodyFilterTest {
    private static final int THREADS = 6;
    private static final long MEBI = 1 << 20;

    private final List<Client> clients = new ArrayList<>();
    private final Budget budget = new Budget(4 * MEBI, MEBI);
    private Server server;
    private ServerConnector connector;

    private void start(long graceNanos, int idleMillis) throws Exception {
        server = new Server(new QueuedThreadPool(THREADS));
        connector = new ServerConnector(server, 1, 1);
        connector.setIdleTimeout(idleMillis);
        server.addConnector(connector);
        ServletContextHandler context = new ServletContextHandler();
        EnumSet<DispatcherType> requests = EnumSet.of(DispatcherType.REQUEST);
        async(context, new Login(), requests);
        // ONOS's web container filters dispatched requests again, too.
        async(context, new BodyFilter(budget, graceNanos), EnumSet.of(DispatcherType.REQUEST, DispatcherType.ASYNC));
        ServletHolder echo = new ServletHolder(new Echo());
        echo.setAsyncSupported(true);
        context.addServlet(echo, "/*");
        server.setHandler(context);
        server.start();
    }

    private static void async(ServletContextHandler context, Filter filter, EnumSet<DispatcherType> types) {
        FilterHolder holder = new FilterHolder(filter);
        holder.setAsyncSupported(true);
        context.addFilter(holder, "/*", types);
    }

    @AfterEach
    void stop() throws Exception {
        for (Client client : clients) {
            client.close();
        }
        server.stop();
    }

    private Client connect() throws IOException {
        Client client = new Client(connector.getLocalPort());
        clients.add(client);
        return client;
    }

    @Test
    void who_sends_slowly_keeps_nobody_else_waiting() throws Exception {
        start(Long.MAX_VALUE, 60_000);
        for (int i = 0; i < 20 * THREADS; i++) {
            connect().send("POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 1000\r\n\r\n{");
        }
        Client reader = connect();
        reader.send("GET /quick HTTP/1.1\r\nHost: x\r\n\r\n");
        assertThat(reader.answer()).startsWith("HTTP/1.1 200").endsWith("GET 0");
        Client other = connect();
        other.send("POST /quick HTTP/1.1\r\nHost: x\r\nContent-Length: 2\r\n\r\n{}");
        assertThat(other.answer()).startsWith("HTTP/1.1 200").endsWith("POST 2");
    }

    @Test
    void a_body_arrives_as_it_was_sent_whatever_its_parts() throws Exception {
        start(Long.MAX_VALUE, 60_000);
        Client client = connect();
        String part = "0123456789".repeat(2000);
        client.send("POST /echo HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\n");
        for (int i = 0; i < 3; i++) {
            client.send(Integer.toHexString(part.length()) + "\r\n" + part + "\r\n");
        }
        client.send("0\r\n\r\n");
        assertThat(client.answer()).startsWith("HTTP/1.1 200").endsWith("\r\n\r\n" + part.repeat(3));
        awaitNothingTaken();
    }

    @Test
    void a_malformed_chunk_is_the_clients_fault() throws Exception {
        start(Long.MAX_VALUE, 60_000);
        Client client = connect();
        client.send("POST / HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\nZZ\r\n{}\r\n0\r\n\r\n");
        assertThat(client.answer())
                .startsWith("HTTP/1.1 400")
                .contains("application/problem+json", "the request is not proper HTTP");
        awaitNothingTaken();
    }

    @Test
    void a_body_that_stops_is_given_up() throws Exception {
        start(Long.MAX_VALUE, 200);
        Client client = connect();
        client.send("POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 1000\r\n\r\n{");
        assertThat(client.answer()).startsWith("HTTP/1.1 408").contains("application/problem+json", "too slowly");
        awaitNothingTaken();
    }

    @Test
    void a_body_that_trickles_is_given_up() throws Exception {
        start(0, 60_000);
        Client client = connect();
        client.send("POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 1000\r\n\r\n");
        Optional<String> answer = Optional.empty();
        while (answer.isEmpty()) {
            client.send(" ");
            answer = client.answerSoon();
        }
        assertThat(answer.get()).startsWith("HTTP/1.1 408").contains("Connection: close");
    }

    @Test
    void large_bodies_that_do_not_fit_come_back_later_and_small_ones_still_fit() throws Exception {
        start(Long.MAX_VALUE, 60_000);
        Client first = connect();
        first.send("POST / HTTP/1.1\r\nHost: x\r\nContent-Length: " + 4 * MEBI + "\r\n\r\n");
        first.send(" ".repeat((int) (2.9 * MEBI)));
        awaitTaken((long) (2.9 * MEBI));
        Client second = connect();
        second.send("POST / HTTP/1.1\r\nHost: x\r\nContent-Length: " + MEBI + "\r\n\r\n");
        second.send(" ".repeat(500_000));
        assertThat(second.answer()).startsWith("HTTP/1.1 503").contains("Retry-After: 5", "Connection: close");
        Client small = connect();
        small.send("POST /quick HTTP/1.1\r\nHost: x\r\nContent-Length: 2\r\n\r\n{}");
        assertThat(small.answer()).startsWith("HTTP/1.1 200");
    }

    private void awaitNothingTaken() {
        while (budget.taken() > 0) {
            Thread.onSpinWait();
        }
    }

    private void awaitTaken(long bytes) {
        while (budget.taken() < bytes) {
            Thread.onSpinWait();
        }
    }

    @Test
    void a_body_longer_than_any_list_is_refused_before_it_is_sent() throws Exception {
        start(Long.MAX_VALUE, 60_000);
        Client client = connect();
        client.send("POST / HTTP/1.1\r\nHost: x\r\nExpect: 100-continue\r\nContent-Length: 67108865\r\n\r\n");
        assertThat(client.answer()).startsWith("HTTP/1.1 413").contains("send it in parts");
    }

    @Test
    void who_may_not_write_sends_nothing_that_is_kept() throws Exception {
        start(Long.MAX_VALUE, 60_000);
        Client client = connect();
        client.send("POST /unread HTTP/1.1\r\nHost: x\r\nAs: viewer\r\nContent-Length: 1000\r\n\r\n{");
        assertThat(client.answer()).startsWith("HTTP/1.1 200").endsWith("\r\n\r\nunread");
        awaitNothingTaken();
    }

    /** Every caller is an administrator unless the request says otherwise. */
    private static final class Login implements Filter {
        @Override
        public void init(FilterConfig config) {
            // Nothing to configure.
        }

        @Override
        public void doFilter(ServletRequest request, ServletResponse response, FilterChain chain)
                throws IOException, ServletException {
            HttpServletRequest http = (HttpServletRequest) request;
            String role = Optional.ofNullable(http.getHeader("As")).orElse("admin");
            chain.doFilter(
                    new HttpServletRequestWrapper(http) {
                        @Override
                        public boolean isUserInRole(String wanted) {
                            return wanted.equals(role);
                        }
                    },
                    response);
        }

        @Override
        public void destroy() {
            // Nothing to close.
        }
    }

    private static final class Echo extends HttpServlet {
        private static final long serialVersionUID = 1L;

        @Override
        protected void service(HttpServletRequest request, HttpServletResponse response) throws IOException {
            OutputStream out = response.getOutputStream();
            switch (request.getPathInfo()) {
                case "/unread" -> out.write("unread".getBytes(StandardCharsets.US_ASCII));
                case "/echo" -> {
                    byte[] body = request.getInputStream().readAllBytes();
                    response.setContentLength(body.length);
                    out.write(body);
                }
                default ->
                    out.write((request.getMethod() + " "
                                    + request.getInputStream().readAllBytes().length)
                            .getBytes(StandardCharsets.US_ASCII));
            }
        }
    }

    private static final class Client {
        private final Socket socket;

        Client(int port) throws IOException {
            socket = new Socket("127.0.0.1", port);
        }

        void send(String bytes) throws IOException {
            socket.getOutputStream().write(bytes.getBytes(StandardCharsets.ISO_8859_1));
        }

        /** Head and body, if they are there within a moment. */
        Optional<String> answerSoon() throws IOException {
            socket.setSoTimeout(20);
            try {
                return Optional.of(answer());
            } catch (java.net.SocketTimeoutException none) {
                return Optional.empty();
            } finally {
                socket.setSoTimeout(0);
            }
        }

        String answer() throws IOException {
            StringBuilder answer = new StringBuilder();
            InputStream in = socket.getInputStream();
            int end;
            while ((end = answer.indexOf("\r\n\r\n")) < 0) {
                answer.append((char) next(in));
            }
            String head = answer.toString();
            int length = Integer.parseInt(head.replaceFirst("(?s).*Content-Length: ([0-9]+).*", "$1"));
            answer.append(new String(in.readNBytes(end + 4 + length - answer.length()), StandardCharsets.ISO_8859_1));
            return answer.toString();
        }

        private static int next(InputStream in) throws IOException {
            int read = in.read();
            if (read < 0) {
                throw new IOException("the server closed the connection");
            }
            return read;
        }

        void close() throws IOException {
            socket.close();
        }
    }
}
