// SPDX-License-Identifier: Apache-2.0
package org.sextant.northbound.access;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.InputStream;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.EnumSet;
import java.util.Map;
import javax.servlet.DispatcherType;
import javax.servlet.FilterConfig;
import javax.servlet.http.HttpServlet;
import javax.servlet.http.HttpServletRequest;
import javax.servlet.http.HttpServletResponse;
import org.eclipse.jetty.server.Server;
import org.eclipse.jetty.server.ServerConnector;
import org.eclipse.jetty.servlet.FilterHolder;
import org.eclipse.jetty.servlet.ServletContextHandler;
import org.eclipse.jetty.servlet.ServletHolder;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayNameGeneration;
import org.junit.jupiter.api.DisplayNameGenerator.ReplaceUnderscores;
import org.junit.jupiter.api.Test;

@DisplayNameGeneration(ReplaceUnderscores.class)
class AccessFilterTest {
    private final Server server = new Server(0);
    private @Nullable TestLogins logins = new TestLogins(Map.of());

    @BeforeEach
    void start() throws Exception {
        ServletContextHandler context = new ServletContextHandler();
        context.addFilter(new FilterHolder(new Door()), "/*", EnumSet.allOf(DispatcherType.class));
        context.addServlet(new ServletHolder(new Who()), "/*");
        context.addServlet(new ServletHolder(new ProbeServlet()), "/health/*");
        server.setHandler(context);
        server.start();
    }

    @AfterEach
    void stop() throws Exception {
        server.stop();
    }

    @Test
    void behind_the_door_it_is_known_who_asks() throws IOException {
        assertThat(ask("GET", login("olga")))
                .startsWith("HTTP/1.1 200")
                .endsWith("olga password 127.0.0.1 viewer=true operator=true security=false admin=false BASIC");
    }

    @Test
    void without_a_login_there_is_a_problem_and_a_question() throws IOException {
        assertThat(ask("GET", ""))
                .startsWith("HTTP/1.1 401")
                .contains("WWW-Authenticate: Basic realm=\"Sextant\"", "WWW-Authenticate: Bearer", "problem+json")
                .contains("log in with a user and a password");
        assertThat(ask("GET", "Authorization: " + TestLogins.basic("olga", "wrong")))
                .startsWith("HTTP/1.1 401")
                .contains("no user of this name has this password");
        assertThat(ask("GET", "Authorization: Basic !!!!")).startsWith("HTTP/1.1 401");
    }

    @Test
    void who_guesses_is_told_when_to_come_back() throws IOException {
        for (int i = 0; i < 5; i++) {
            ask("GET", "Authorization: " + TestLogins.basic("olga", "wrong" + i));
        }
        assertThat(ask("GET", "Authorization: " + TestLogins.basic("olga", "wrong")))
                .startsWith("HTTP/1.1 429")
                .contains("Retry-After: 1", "too many logins failed; try again in 1 second");
    }

    @Test
    void a_page_of_another_site_changes_nothing_though_the_browser_sends_the_password_along() throws IOException {
        for (String site : new String[] {"cross-site", "same-site"}) {
            assertThat(ask("POST", login("admin") + "\r\nSec-Fetch-Site: " + site))
                    .startsWith("HTTP/1.1 403")
                    .contains("a page of another site may change nothing here");
            assertThat(ask("GET", login("admin") + "\r\nSec-Fetch-Site: " + site))
                    .startsWith("HTTP/1.1 200");
        }
        for (String site : new String[] {"same-origin", "none"}) {
            assertThat(ask("POST", login("admin") + "\r\nSec-Fetch-Site: " + site))
                    .startsWith("HTTP/1.1 200");
        }
    }

    @Test
    void while_the_controller_starts_nobody_is_let_in_and_nobody_is_called_unknown() throws IOException {
        logins = null;
        assertThat(ask("GET", login("admin"))).startsWith("HTTP/1.1 503").contains("Retry-After: 5");
    }

    @Test
    void a_probe_needs_no_login_and_one_that_it_shows_must_be_valid() throws IOException {
        assertThat(probe("")).startsWith("HTTP/1.1 200").endsWith("viewer=false");
        assertThat(probe(login("olga"))).startsWith("HTTP/1.1 200").endsWith("viewer=true");
        assertThat(probe("Authorization: " + TestLogins.basic("olga", "wrong"))).startsWith("HTTP/1.1 401");
        logins = null;
        assertThat(probe(login("olga"))).startsWith("HTTP/1.1 200").endsWith("viewer=false");
    }

    private String probe(String header) throws IOException {
        return ask("GET", "/health", header);
    }

    private static String login(String user) {
        return "Authorization: " + TestLogins.basic(user, user + user);
    }

    private String ask(String method, String header) throws IOException {
        return ask(method, "/x", header);
    }

    private String ask(String method, String path, String header) throws IOException {
        int port = ((ServerConnector) server.getConnectors()[0]).getLocalPort();
        try (Socket socket = new Socket("127.0.0.1", port)) {
            String request = method + " " + path + " HTTP/1.1\r\nHost: x\r\nConnection: close\r\n"
                    + (header.isEmpty() ? "" : header + "\r\n") + "\r\n";
            socket.getOutputStream().write(request.getBytes(StandardCharsets.UTF_8));
            try (InputStream in = socket.getInputStream()) {
                return new String(in.readAllBytes(), StandardCharsets.UTF_8);
            }
        }
    }

    /** The filter over the test's logins. */
    private final class Door extends AccessFilter {
        @Override
        public void init(FilterConfig config) {
            // There is no OSGi here.
        }

        @Override
        protected @Nullable Logins logins() {
            return logins;
        }
    }

    /** Returns whether the request may read. */
    private static final class ProbeServlet extends HttpServlet {
        private static final long serialVersionUID = 1L;

        @Override
        protected void service(HttpServletRequest request, HttpServletResponse response) throws IOException {
            response.getOutputStream().print("viewer=" + request.isUserInRole("viewer"));
        }
    }

    /** Returns the caller. */
    private static final class Who extends HttpServlet {
        private static final long serialVersionUID = 1L;

        @Override
        protected void service(HttpServletRequest request, HttpServletResponse response) throws IOException {
            Caller caller = Caller.of(request).orElseThrow();
            StringBuilder text =
                    new StringBuilder(caller.name() + " " + caller.how().word() + " " + caller.address());
            for (String role : new String[] {"viewer", "operator", "security", "admin"}) {
                text.append(' ').append(role).append('=').append(request.isUserInRole(role));
            }
            response.getOutputStream().print(text + " " + request.getAuthType());
        }
    }
}
