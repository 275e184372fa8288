// SPDX-License-Identifier: Apache-2.0
package org.sextant.northbound.health;

import static org.assertj.core.api.Assertions.assertThat;

import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.util.List;
import org.eclipse.jetty.server.Server;
import org.eclipse.jetty.servlet.ServletContextHandler;
import org.eclipse.jetty.servlet.ServletHolder;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayNameGeneration;
import org.junit.jupiter.api.DisplayNameGenerator.ReplaceUnderscores;
import org.junit.jupiter.api.Test;

@DisplayNameGeneration(ReplaceUnderscores.class)
class HealthServletTest {
    private final Server server = new Server(0);
    private final HttpClient client = HttpClient.newHttpClient();
    private Health health = new Health(true, List.of());

    @BeforeEach
    void start() throws Exception {
        ServletContextHandler context = new ServletContextHandler();
        context.addServlet(new ServletHolder(new Servlet()), "/health/*");
        server.setHandler(context);
        server.start();
    }

    @AfterEach
    void stop() throws Exception {
        server.stop();
    }

    /** The servlet outside of OSGi. */
    private final class Servlet extends HealthServlet {
        private static final long serialVersionUID = 1L;

        @Override
        public void init() {
            // There are no services.
        }

        @Override
        protected Health health() {
            return health;
        }
    }

    private HttpResponse<String> send(String method, String path) throws Exception {
        HttpRequest request = HttpRequest.newBuilder(URI.create(server.getURI() + path))
                .method(method, HttpRequest.BodyPublishers.noBody())
                .build();
        return client.send(request, HttpResponse.BodyHandlers.ofString());
    }

    @Test
    void readiness_and_liveness_have_an_address_each() throws Exception {
        assertThat(send("GET", "health").statusCode()).isEqualTo(200);
        health = new Health(true, List.of("the engine is not started"));
        HttpResponse<String> unready = send("GET", "health");
        assertThat(unready.statusCode()).isEqualTo(503);
        assertThat(unready.headers().firstValue("Retry-After")).contains("1");
        assertThat(unready.body()).isEqualTo("{\"live\":true,\"ready\":false}");
        assertThat(send("GET", "health/live").statusCode()).isEqualTo(200);
        health = new Health(false, List.of("no progress"));
        assertThat(send("GET", "health/live").statusCode()).isEqualTo(503);
    }

    @Test
    void other_methods_and_addresses_are_refused() throws Exception {
        HttpResponse<String> post = send("POST", "health");
        assertThat(post.statusCode()).isEqualTo(405);
        assertThat(post.headers().firstValue("Allow")).contains("GET, HEAD");
        assertThat(post.headers().firstValue("Content-Type")).contains("application/problem+json");
        assertThat(send("GET", "health/dead").statusCode()).isEqualTo(404);
    }
}
