// SPDX-License-Identifier: Apache-2.0
package org.sextant.northbound.rest;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.security.Principal;
import java.util.Base64;
import java.util.EnumSet;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;
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
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayNameGeneration;
import org.junit.jupiter.api.DisplayNameGenerator.ReplaceUnderscores;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.sextant.northbound.audit.AuditLog;
import org.sextant.northbound.audit.TestAuditLog;

/** Requests refused in front of REST have their line, too: in the web container, in the order of the filters there. */
@DisplayNameGeneration(ReplaceUnderscores.class)
@Timeout(60)
class AuditLogFilterTest {
    @TempDir
    private Path folder;

    private final HttpClient http = HttpClient.newHttpClient();
    private AuditLog trail;
    private Server server;
    private int port;

    /** Admits only ann. */
    private static final class Login implements Filter {
        @Override
        public void init(FilterConfig config) {
            // Nothing to configure.
        }

        @Override
        public void doFilter(ServletRequest request, ServletResponse response, FilterChain chain)
                throws IOException, ServletException {
            HttpServletRequest asked = (HttpServletRequest) request;
            if (!basic("ann", "right").equals(asked.getHeader("Authorization"))) {
                ((HttpServletResponse) response).setStatus(401);
                return;
            }
            chain.doFilter(
                    new HttpServletRequestWrapper(asked) {
                        @Override
                        public Principal getUserPrincipal() {
                            return () -> "ann";
                        }

                        @Override
                        public boolean isUserInRole(String role) {
                            return role.equals("admin");
                        }
                    },
                    response);
        }

        @Override
        public void destroy() {
            // Nothing to close.
        }
    }

    /** Stands for REST, which records the requests that it serves. */
    private static final class Rest extends HttpServlet {
        private static final long serialVersionUID = 1L;

        @Override
        protected void service(HttpServletRequest request, HttpServletResponse response) throws IOException {
            request.getInputStream().readAllBytes();
            if (request.getPathInfo().equals("/served")) {
                request.setAttribute(Recording.RECORDED, true);
            } else {
                response.setStatus(503); // as while it starts
            }
        }
    }

    @BeforeEach
    void start() throws Exception {
        trail = TestAuditLog.in(folder);
        server = new Server();
        ServerConnector connector = new ServerConnector(server, 1, 1);
        server.addConnector(connector);
        ServletContextHandler context = new ServletContextHandler();
        for (Filter filter : List.of(
                new LoginWatch(() -> Optional.of(trail)),
                new Login(),
                new AuditLogFilter(() -> Optional.of(trail)),
                new BodyFilter())) {
            FilterHolder holder = new FilterHolder(filter);
            holder.setAsyncSupported(true);
            context.addFilter(holder, "/*", EnumSet.of(DispatcherType.REQUEST));
        }
        ServletHolder rest = new ServletHolder(new Rest());
        rest.setAsyncSupported(true);
        context.addServlet(rest, "/*");
        server.setHandler(context);
        server.start();
        port = connector.getLocalPort();
    }

    @AfterEach
    void stop() throws Exception {
        server.stop();
        trail.close();
    }

    private static String basic(String user, String password) {
        return "Basic " + Base64.getEncoder().encodeToString((user + ":" + password).getBytes(StandardCharsets.UTF_8));
    }

    private int post(String path, String authorization, String body) throws Exception {
        HttpRequest request = HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + port + path))
                .header("Authorization", authorization)
                .POST(BodyPublishers.ofString(body))
                .build();
        return http.send(request, BodyHandlers.discarding()).statusCode();
    }

    /** The lines, newest first; a line may come a moment after the answer of a container that waited. */
    private List<String> told(int count) throws InterruptedException {
        List<String> told = told();
        while (told.size() < count) {
            Thread.onSpinWait();
            told = told();
        }
        return told;
    }

    private List<String> told() {
        return TestAuditLog.deeds(trail).stream().map(AuditLogFilterTest::told).toList();
    }

    private static String told(JsonNode line) {
        return List.of("event", "user", "how", "from", "method", "resource", "outcome", "status").stream()
                .map(name -> line.path(name).asText())
                .filter(text -> !text.isEmpty())
                .collect(Collectors.joining(" "));
    }

    @Test
    void a_login_that_fails_is_told_by_its_name_alone() throws Exception {
        assertThat(post("/served", basic("ann", "wrong-secret"), "{}")).isEqualTo(401);
        assertThat(post("/served", "Bearer stolen-secret", "{}")).isEqualTo(401);
        assertThat(post("/served", "Basic !!!", "{}")).isEqualTo(401);
        assertThat(told(3))
                .containsExactly(
                        "login password 127.0.0.1 denied 401",
                        "login token 127.0.0.1 denied 401",
                        "login ann password 127.0.0.1 denied 401");
        assertThat(TestAuditLog.deeds(trail).toString()).doesNotContain("secret");
    }

    @Test
    void what_is_refused_before_rest_is_told_and_what_rest_has_recorded_is_not_told_twice() throws Exception {
        for (int i = 0; i < 20; i++) {
            assertThat(post("/served", basic("ann", "right"), "{}")).isEqualTo(200);
            assertThat(post("/served", basic("ann", "right"), "")).isEqualTo(200);
        }
        assertThat(post("/early", basic("ann", "right"), "{}")).isEqualTo(503);
        assertThat(post("/early", basic("ann", "right"), "")).isEqualTo(503);
        assertThat(told(2))
                .containsExactly(
                        "change ann password 127.0.0.1 POST early failed 503",
                        "change ann password 127.0.0.1 POST early failed 503");
    }
}
