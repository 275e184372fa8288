// SPDX-License-Identifier: Apache-2.0
package org.sextant.northbound.rest;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Date;
import java.util.EnumSet;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;
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
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayNameGeneration;
import org.junit.jupiter.api.DisplayNameGenerator.ReplaceUnderscores;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.sextant.northbound.access.AccessFilter;
import org.sextant.northbound.access.Caller;
import org.sextant.northbound.access.Logins;
import org.sextant.northbound.access.SessionCookie;
import org.sextant.northbound.access.SmallIssuer;
import org.sextant.northbound.access.TestLogins;
import org.sextant.northbound.audit.AuditLog;
import org.sextant.northbound.audit.TestAuditLog;

/** A browser logs in at the issuer's page: in the web container, behind the filters that stand there. */
@DisplayNameGeneration(ReplaceUnderscores.class)
@Timeout(120)
class LoginServletTest {
    private static final String CALLBACK = "/srv6/login/oidc/callback";

    @TempDir
    private Path folder;

    private final HttpClient http = HttpClient.newHttpClient();
    private final Map<String, String> cookies = new HashMap<>();
    private final Server server = new Server(0);
    private SmallIssuer issuer;
    private TestLogins logins;
    private AuditLog trail;
    private int port;

    @BeforeEach
    void start() throws Exception {
        issuer = new SmallIssuer();
        trail = TestAuditLog.in(folder);
        ServletContextHandler context = new ServletContextHandler();
        context.setContextPath("/srv6");
        EnumSet<DispatcherType> all = EnumSet.allOf(DispatcherType.class);
        context.addFilter(new FilterHolder(new LoginWatch(() -> Optional.of(trail))), "/*", all);
        context.addFilter(new FilterHolder(new Door()), "/*", all);
        context.addServlet(new ServletHolder(new Way()), "/login/*");
        context.addServlet(new ServletHolder(new Who()), "/*");
        server.setHandler(context);
        server.start();
        port = ((ServerConnector) server.getConnectors()[0]).getLocalPort();
        Files.writeString(folder.resolve("secret"), SmallIssuer.SECRET + "\n");
        logins = new TestLogins(settings());
    }

    private Map<String, String> settings() {
        return Map.of(
                "issuer",
                issuer.url(),
                "audience",
                "sextant",
                "client.id",
                SmallIssuer.CLIENT,
                "client.secret.file",
                folder.resolve("secret").toString(),
                "redirect.uri",
                "http://127.0.0.1:" + port + CALLBACK,
                "scopes",
                "openid profile");
    }

    @AfterEach
    void stop() throws Exception {
        server.stop();
        issuer.close();
        trail.close();
    }

    @Test
    void who_logs_in_at_the_issuers_page_is_known_by_a_cookie_that_opens_nothing_without_the_pages_header()
            throws Exception {
        HttpResponse<String> back = logIn();
        assertThat(back.statusCode()).isEqualTo(303);
        assertThat(location(back)).isEqualTo("http://127.0.0.1:" + port + "/srv6/ui/");
        assertThat(back.headers().allValues("Set-Cookie"))
                .anyMatch(one ->
                        one.startsWith(SessionCookie.NAME) && one.endsWith("; Path=/srv6; HttpOnly; SameSite=Strict"))
                .noneMatch(one -> one.contains("eyJ")); // the beginning of every JWT
        assertThat(who(true).body()).isEqualTo("oidc:alice oidc [OPERATOR]");
        HttpResponse<String> bare = who(false);
        assertThat(bare.statusCode()).isEqualTo(401);
        assertThat(ways().get("session").booleanValue()).isTrue();
        assertThat(lines()).containsExactly("login done oidc:alice oidc 127.0.0.1");
    }

    @Test
    void the_page_is_asked_for_a_code_with_a_challenge_and_for_what_the_settings_say() throws Exception {
        URI page = begin();
        assertThat(page.toString()).startsWith(issuer.url() + "/authorize?");
        Map<String, String> asked = SmallIssuer.parameters(page.getRawQuery());
        assertThat(asked)
                .containsEntry("response_type", "code")
                .containsEntry("client_id", SmallIssuer.CLIENT)
                .containsEntry("scope", "openid profile")
                .containsEntry("code_challenge_method", "S256");
        assertThat(asked.get("code_challenge")).hasSize(43);
        assertThat(SmallIssuer.parameters(begin().getRawQuery()).get("state"))
                .as("another login has another state")
                .isNotEqualTo(asked.get("state"));
    }

    @Test
    void without_a_client_id_no_such_login_is_offered() throws Exception {
        logins = new TestLogins(Map.of("issuer", issuer.url(), "audience", "sextant"));
        assertThat(ways().toString()).isEqualTo("{\"password\":true}");
        assertThat(get("/login/oidc").statusCode()).isEqualTo(404);
        logins = new TestLogins(settings());
        assertThat(ways().get("oidc").toString()).isEqualTo("{\"issuer\":\"127.0.0.1\",\"start\":\"login/oidc\"}");
    }

    @Test
    void what_is_not_the_answer_to_a_login_of_this_browser_is_refused() throws Exception {
        URI page = begin();
        String code = issuer.agreed(page);
        refused(get("/login/oidc/callback?code=" + code + "&state=forged"), "belongs to another login (state)");
        String kept = cookies.get("sextant-login");
        assertThat(kept).as("a login is tried once").isEmpty();
        page = begin();
        cookies.remove("sextant-login");
        refused(back(page), "this login was not begun in this browser");
        page = begin();
        cookies.put("sextant-login", cookies.get("sextant-login") + "x");
        refused(back(page), "this login was not begun in this browser");
        page = begin();
        logins.later(Duration.ofMinutes(11));
        refused(back(page), "this login was begun more than 10 minutes ago");
        page = begin();
        refused(back(page, "&iss=https%3A%2F%2Fevil.example"), "is of another issuer");
        assertThat(lines()).hasSize(5).allMatch(line -> line.equals("login denied  oidc 127.0.0.1"));
        assertThat(who(true).statusCode()).isEqualTo(401);
    }

    @Test
    void a_code_that_was_used_is_refused_by_the_issuer() throws Exception {
        URI page = begin();
        String kept = cookies.get("sextant-login");
        String code = issuer.agreed(page);
        String state = SmallIssuer.parameters(page.getRawQuery()).get("state");
        String address = "/login/oidc/callback?code=" + code + "&state=" + state;
        assertThat(get(address).headers().firstValue("Location").orElse("")).endsWith("/srv6/ui/");
        cookies.clear();
        cookies.put("sextant-login", kept);
        refused(get(address), "the issuer does not take this code: it was used before, or is too old");
        assertThat(who(true).statusCode()).isEqualTo(401);
    }

    @Test
    void a_token_that_is_not_of_this_login_opens_nothing() throws Exception {
        issuer.twist = claims -> claims.claim("nonce", "of another login");
        refused(logIn(), "its nonce is not the one of this login");
        issuer.twist = claims -> claims.claim("nonce", null);
        refused(logIn(), "JWT missing required claims: [nonce]");
        issuer.twist = claims -> claims.audience("grafana");
        refused(logIn(), "JWT aud claim rejected");
        issuer.twist = claims -> claims.audience(List.of(SmallIssuer.CLIENT, "grafana"));
        refused(logIn(), "it was made for another client (azp)");
        issuer.twist = claims -> claims.claim("azp", "grafana");
        refused(logIn(), "it was made for another client (azp)");
        issuer.twist = claims -> claims.expirationTime(Date.from(issuer.now.minusSeconds(61)));
        refused(logIn(), "Expired JWT");
        issuer.twist = claims -> claims.issuer("https://evil.example");
        refused(logIn(), "JWT iss claim");
        issuer.twist = claims -> claims;
        issuer.instead = "{\"id_token\":\"eyJhbGciOiJub25lIn0.e30.\"}";
        refused(logIn(), "it is not signed");
    }

    @Test
    void who_has_no_role_here_is_told_so_and_named_in_the_trail() throws Exception {
        issuer.twist = claims -> claims.claim("roles", null);
        refused(logIn(), "names no role of the controller");
        assertThat(lines()).containsExactly("login denied oidc:alice oidc 127.0.0.1");
        issuer.twist = claims -> claims.subject(null);
        refused(logIn(), "JWT missing required claims: [sub]");
    }

    @Test
    void who_does_not_agree_at_the_issuer_is_back_at_the_login_page() throws Exception {
        refused(denied("access_denied"), "called off at the issuer");
        refused(denied("temporarily_unavailable"), "the issuer refused the login: temporarily_unavailable");
        refused(denied("%3Cscript%3E"), "the issuer refused the login: an error");
    }

    @Test
    void an_issuer_that_is_slow_or_talks_for_ever_or_is_away_keeps_nobody_waiting() throws Exception {
        issuer.slow = true;
        issuer.instead = "{\"id_token\":\"" + "x".repeat(1000) + "\"}";
        long begun = System.nanoTime();
        refused(logIn(), "it has not answered within 2000 ms");
        assertThat(Duration.ofNanos(System.nanoTime() - begun)).isLessThan(Duration.ofSeconds(20));
        issuer.slow = false;
        issuer.instead = "{\"id_token\":\"" + "x".repeat(600 << 10) + "\"}";
        refused(logIn(), "its answer is longer than 512 KiB");
        issuer.instead = "<html>";
        refused(logIn(), "of status 200, is no JSON");
        issuer.instead = "{}";
        refused(logIn(), "its answer has no id_token");
        URI page = begin();
        issuer.close();
        refused(back(page), "nothing answers at its address");
        logins = new TestLogins(settings());
        refused(get("/login/oidc"), "nothing answers at its address");
        assertThat(lines()).as("nobody was refused").isEmpty();
    }

    @Test
    void a_secret_that_is_wrong_or_gone_is_the_administrators_business() throws Exception {
        Files.writeString(folder.resolve("secret"), "guess");
        refused(logIn(), "an administrator must look at client.id and client.secret.file");
        Files.delete(folder.resolve("secret"));
        refused(logIn(), "client.secret.file of etc/org.sextant.oidc.cfg cannot be read");
        Files.writeString(folder.resolve("secret"), SmallIssuer.SECRET);
        assertThat(cookies).doesNotContainKey(SessionCookie.NAME);
        logIn();
        assertThat(who(true).statusCode()).as("read again for each login").isEqualTo(200);
    }

    @Test
    void a_session_ends_when_it_is_ended_and_leads_to_the_issuers_own_end() throws Exception {
        logIn();
        assertThat(send("POST", "/login/end", false).statusCode()).isEqualTo(401);
        HttpResponse<String> end = send("POST", "/login/end", true);
        assertThat(new ObjectMapper().readTree(end.body()).get("issuer").textValue())
                .isEqualTo(issuer.url()
                        + "/logout?client_id=sextant-map&post_logout_redirect_uri=http%3A%2F%2F127.0.0.1%3A" + port
                        + "%2Fsrv6%2Fui%2F");
        assertThat(who(true).statusCode()).isEqualTo(401);
        assertThat(lines())
                .containsExactly("logout done oidc:alice oidc 127.0.0.1", "login done oidc:alice oidc 127.0.0.1");
    }

    @Test
    void a_session_ends_after_half_an_hour_of_silence_and_after_twelve_hours() throws Exception {
        logIn();
        logins.later(Duration.ofMinutes(29));
        assertThat(who(true).statusCode()).isEqualTo(200);
        logins.later(Duration.ofMinutes(31));
        HttpResponse<String> over = who(true);
        assertThat(over.statusCode()).isEqualTo(401);
        assertThat(over.body()).contains("this login is over");
        assertThat(over.headers().allValues("WWW-Authenticate"))
                .as("no browser asks for a password of its own accord")
                .noneMatch(one -> one.startsWith("Basic"));
        issuer.now = issuer.now.plus(Duration.ofHours(1));
        logIn();
        for (int i = 0; i < 25; i++) {
            logins.later(Duration.ofMinutes(29));
            who(true);
        }
        assertThat(who(true).statusCode()).isEqualTo(401);
    }

    @Test
    void another_login_in_the_same_browser_ends_the_one_before() throws Exception {
        logIn();
        String first = cookies.get(SessionCookie.NAME);
        logIn();
        assertThat(cookies.get(SessionCookie.NAME)).isNotEqualTo(first);
        assertThat(who(true).statusCode()).isEqualTo(200);
        cookies.put(SessionCookie.NAME, first);
        assertThat(who(true).statusCode()).isEqualTo(401);
    }

    @Test
    void no_spelling_of_an_address_gets_past_the_login_by_the_way_that_leads_to_it() throws Exception {
        for (String path :
                List.of("/login/../nodes", "/login%2f..%2fnodes", "/login;x/../nodes", "/loginx", "//login/ways")) {
            assertThat(get(path).statusCode()).as(path).isIn(400, 401, 404);
        }
        assertThat(send("HEAD", "/login/oidc/callback?code=x", false).statusCode())
                .isEqualTo(404);
        assertThat(send("TRACE", "/login/ways", false).statusCode()).isEqualTo(404);
    }

    private URI begin() throws Exception {
        HttpResponse<String> response = get("/login/oidc");
        assertThat(response.statusCode()).isEqualTo(303);
        return URI.create(location(response));
    }

    private HttpResponse<String> back(URI page) throws Exception {
        return back(page, "");
    }

    private HttpResponse<String> back(URI page, String more) throws Exception {
        String state = SmallIssuer.parameters(page.getRawQuery()).get("state");
        return get("/login/oidc/callback?code=" + issuer.agreed(page) + "&state=" + state + more);
    }

    private HttpResponse<String> denied(String error) throws Exception {
        String state = SmallIssuer.parameters(begin().getRawQuery()).get("state");
        return get("/login/oidc/callback?state=" + state + "&error=" + error + "&error_description=call+0900");
    }

    private HttpResponse<String> logIn() throws Exception {
        return back(begin());
    }

    /** The browser is at the login page, which shows why; once. */
    private void refused(HttpResponse<String> response, String why) throws Exception {
        assertThat(response.statusCode()).isEqualTo(303);
        assertThat(location(response)).isEqualTo("http://127.0.0.1:" + port + "/srv6/ui/");
        assertThat(ways().path("failed").asText()).contains(why);
        assertThat(ways().has("failed")).isFalse();
    }

    private JsonNode ways() throws Exception {
        return new ObjectMapper().readTree(get("/login/ways").body());
    }

    private HttpResponse<String> who(boolean page) throws Exception {
        return send("GET", "/who", page);
    }

    private HttpResponse<String> get(String path) throws Exception {
        return send("GET", path, false);
    }

    /** @param page with the header that only our page sends */
    private HttpResponse<String> send(String method, String path, boolean page) throws Exception {
        HttpRequest.Builder request = HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + port + "/srv6" + path))
                .method(method, BodyPublishers.noBody());
        if (page) {
            request.header(SessionCookie.HEADER, "1");
        }
        String sent = cookies.entrySet().stream()
                .filter(one -> !one.getValue().isEmpty())
                .map(one -> one.getKey() + "=" + one.getValue())
                .collect(Collectors.joining("; "));
        if (!sent.isEmpty()) {
            request.header("Cookie", sent);
        }
        HttpResponse<String> response = http.send(request.build(), BodyHandlers.ofString());
        for (String cookie : response.headers().allValues("Set-Cookie")) {
            String pair = cookie.substring(0, cookie.indexOf(';'));
            cookies.put(pair.substring(0, pair.indexOf('=')), pair.substring(pair.indexOf('=') + 1));
        }
        return response;
    }

    private static String location(HttpResponse<String> response) {
        return response.headers().firstValue("Location").orElse("");
    }

    private List<String> lines() {
        return TestAuditLog.deeds(trail).stream()
                .map(line -> String.join(
                        " ",
                        line.get("event").textValue(),
                        line.get("outcome").textValue(),
                        line.get("user").textValue(),
                        line.get("how").textValue(),
                        line.get("from").textValue()))
                .toList();
    }

    /** The filter over the test's logins. */
    private final class Door extends AccessFilter {
        @Override
        public void init(FilterConfig config) {
            // There is no OSGi here.
        }

        @Override
        protected Logins logins() {
            return logins;
        }
    }

    /** The servlet over them. */
    private final class Way extends LoginServlet {
        private static final long serialVersionUID = 1L;

        Way() {
            super(() -> Optional.of(trail));
        }

        @Override
        public void init() {
            // There is no OSGi here.
        }

        @Override
        protected Logins logins() {
            return logins;
        }
    }

    /** Returns the caller. */
    private static final class Who extends HttpServlet {
        private static final long serialVersionUID = 1L;

        @Override
        protected void service(HttpServletRequest request, HttpServletResponse response) throws IOException {
            Caller caller = Caller.of(request).orElseThrow();
            response.getOutputStream().print(caller.name() + " " + caller.how().word() + " " + caller.roles());
        }
    }
}
