// SPDX-License-Identifier: Apache-2.0
package org.sextant.karaf.host.web;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import org.eclipse.jetty.server.Handler;
import org.eclipse.jetty.server.Request;
import org.eclipse.jetty.server.Server;
import org.eclipse.jetty.server.ServerConnector;
import org.eclipse.jetty.server.handler.AbstractHandler;
import org.eclipse.jetty.server.handler.HandlerCollection;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayNameGeneration;
import org.junit.jupiter.api.DisplayNameGenerator.ReplaceUnderscores;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

@DisplayNameGeneration(ReplaceUnderscores.class)
class RootRedirectTest {
    private final Server server = new Server(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0));

    @BeforeEach
    void start() throws Exception {
        server.setHandler(
                new HandlerCollection(new Handler[] {new RootRedirect(Path.of("unused")), new Application()}));
        server.start();
    }

    @AfterEach
    void stop() throws Exception {
        server.stop();
    }

    @ParameterizedTest
    @ValueSource(strings = {"/", "/srv6", "/srv6/", "/?x=1"})
    void a_browser_finds_the_map(String path) throws IOException {
        assertThat(ask("GET " + path + " HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n"))
                .startsWith("HTTP/1.1 303")
                .contains("Location: /srv6/ui/\r\n");
    }

    @Test
    void applications_are_left_alone() throws IOException {
        assertThat(ask("GET /srv6/nodes HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n"))
                .startsWith("HTTP/1.1 204");
        assertThat(ask("POST /srv6/ HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n"))
                .startsWith("HTTP/1.1 204");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "GET /nothing HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n",
                "PATCH /nothing HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n",
                "POST / HTTP/1.1\r\nHost: x\r\nConnection: close\r\nContent-Length: 0\r\n\r\n"
            })
    void an_address_of_nobody_is_a_problem_that_programs_can_read(String request) throws IOException {
        assertThat(ask(request))
                .startsWith("HTTP/1.1 404")
                .contains("Content-Type: application/problem+json")
                .contains("\"status\":404", "/srv6/ui/", "/srv6/openapi.json")
                .doesNotContain("<");
    }

    /** A 404 would say of a policy that there is none. */
    @Test
    void an_application_that_is_not_there_yet_is_waited_for() throws IOException {
        assertThat(ask("GET /srv6/later HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n"))
                .startsWith("HTTP/1.1 503")
                .contains("Retry-After: 1", "Content-Type: application/problem+json", "the controller is starting");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "GET / HTTP/1.1\r\nHost: x\r\nContent-Length: -1\r\n\r\n",
                "GET /%00 HTTP/1.1\r\nHost: x\r\n\r\n",
                "nonsense\r\n\r\n"
            })
    void what_is_no_http_is_a_problem_too(String request) throws IOException {
        assertThat(ask(request))
                .startsWith("HTTP/1.1 400")
                .contains("Content-Type: application/problem+json", "not proper HTTP")
                .doesNotContain("<");
    }

    private String ask(String request) throws IOException {
        try (Socket socket = new Socket("127.0.0.1", ((ServerConnector) server.getConnectors()[0]).getLocalPort())) {
            socket.getOutputStream().write(request.getBytes(StandardCharsets.US_ASCII));
            return new String(socket.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        }
    }

    /** The application at /srv6. */
    private static final class Application extends AbstractHandler {
        @Override
        public void handle(
                String target,
                Request base,
                javax.servlet.http.HttpServletRequest request,
                javax.servlet.http.HttpServletResponse response) {
            if (target.startsWith("/srv6/") && !target.endsWith("/later") && !base.isHandled()) {
                response.setStatus(204);
                base.setHandled(true);
            }
        }
    }
}
