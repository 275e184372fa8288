// SPDX-License-Identifier: Apache-2.0
package org.sextant.northbound.rest;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.Optional;
import java.util.Set;
import java.util.function.Supplier;
import javax.servlet.http.HttpServlet;
import javax.servlet.http.HttpServletRequest;
import javax.servlet.http.HttpServletResponse;
import org.jspecify.annotations.Nullable;
import org.osgi.framework.FrameworkUtil;
import org.osgi.util.tracker.ServiceTracker;
import org.sextant.northbound.access.BrowserLogins;
import org.sextant.northbound.access.Caller;
import org.sextant.northbound.access.LoginRefused;
import org.sextant.northbound.access.Logins;
import org.sextant.northbound.access.SessionCookie;
import org.sextant.northbound.audit.AuditLog;
import org.sextant.northbound.audit.AuditRecord;
import org.sextant.northbound.audit.CurrentAuditLog;
import org.sextant.northbound.audit.Outcome;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The map's login by the issuer's page, open without credentials: the offered logins, the redirects there and back, and
 * the logout. For browsers, so that answers are redirections; errors are shown by the login page, which asks for them.
 */
public class LoginServlet extends HttpServlet {
    private static final long serialVersionUID = 1L;
    private static final Logger LOG = LoggerFactory.getLogger(LoginServlet.class);
    private static final String BEGUN = "sextant-login";
    private static final String TOLD = "sextant-told";
    private static final String SESSION = SessionCookie.NAME;
    private static final int TOLD_SECONDS = 60;
    private static final int BEGUN_SECONDS = 600;
    private static final int LONGEST_TOLD = 600;
    private static final Set<Integer> REFUSED =
            Set.of(HttpServletResponse.SC_UNAUTHORIZED, HttpServletResponse.SC_FORBIDDEN);

    private final transient Supplier<Optional<AuditLog>> trail;
    private final transient @Nullable CurrentAuditLog tracked;
    private transient @Nullable ServiceTracker<Logins, Logins> tracker;

    public LoginServlet() {
        tracked = new CurrentAuditLog();
        trail = tracked;
    }

    LoginServlet(Supplier<Optional<AuditLog>> trail) {
        this.tracked = null;
        this.trail = trail;
    }

    @Override
    public void init() {
        tracker = new ServiceTracker<>(
                FrameworkUtil.getBundle(LoginServlet.class).getBundleContext(), Logins.class, null);
        tracker.open();
    }

    @Override
    public void destroy() {
        if (tracker != null) {
            tracker.close();
        }
        if (tracked != null) {
            tracked.close();
        }
    }

    /** The logins in use; null while the controller starts. */
    protected @Nullable Logins logins() {
        return tracker == null ? null : tracker.getService();
    }

    @Override
    protected void service(HttpServletRequest request, HttpServletResponse response) throws IOException {
        response.setHeader("Cache-Control", "no-store");
        response.setHeader("X-Content-Type-Options", "nosniff");
        response.setHeader("Referrer-Policy", "no-referrer"); // the address has the code
        Logins now = logins();
        Optional<BrowserLogins> browsers = now == null ? Optional.empty() : now.browsers();
        String what = request.getMethod() + " " + request.getPathInfo();
        if (what.equals("GET /ways")) {
            ways(browsers, request, response);
        } else if (browsers.isPresent()) {
            serve(what, browsers.get(), request, response);
        } else {
            ErrorServlet.write(response, 404, "no login at an issuer's page is configured (etc/org.sextant.oidc.cfg)");
        }
    }

    private void serve(String what, BrowserLogins browsers, HttpServletRequest request, HttpServletResponse response)
            throws IOException {
        switch (what) {
            case "GET /oidc" -> begin(browsers, response);
            case "GET /oidc/callback" -> finish(browsers, request, response);
            case "POST /end" -> end(browsers, request, response);
            default -> ErrorServlet.write(response, 404);
        }
    }

    /** The logins that the page offers, whether this browser has a session, and the message to show. */
    private static void ways(Optional<BrowserLogins> browsers, HttpServletRequest request, HttpServletResponse response)
            throws IOException {
        ObjectNode answer = JsonNodeFactory.instance.objectNode().put("password", true);
        if (browsers.isPresent()) {
            BrowserLogins open = browsers.get();
            answer.putObject("oidc").put("issuer", open.issuer().getHost()).put("start", "login/oidc");
            answer.put(
                    "session",
                    SessionCookie.value(request, SESSION)
                            .flatMap(word -> open.session(word, ""))
                            .isPresent());
            SessionCookie.value(request, TOLD).ifPresent(told -> {
                open.read(told).ifPresent(sentence -> answer.put("failed", sentence));
                forget(response, open, TOLD);
            });
        }
        answer(response, answer);
    }

    private static void begin(BrowserLogins browsers, HttpServletResponse response) {
        try {
            BrowserLogins.Begun begun = browsers.begin();
            // Lax: the issuer's page sends people back.
            keep(response, browsers, BEGUN, begun.kept(), BEGUN_SECONDS, "Lax");
            redirect(response, begun.to().toString());
        } catch (LoginRefused e) {
            tell(response, browsers, e);
        }
    }

    private void finish(BrowserLogins browsers, HttpServletRequest request, HttpServletResponse response) {
        forget(response, browsers, BEGUN);
        String address = "" + request.getRemoteAddr();
        try {
            BrowserLogins.In in = browsers.finish(
                    new BrowserLogins.Back(
                            parameter(request, "state"),
                            parameter(request, "code"),
                            parameter(request, "error"),
                            parameter(request, "iss")),
                    SessionCookie.value(request, BEGUN).orElse(""),
                    address);
            SessionCookie.value(request, SESSION).ifPresent(browsers::end); // the former session of this browser
            keep(response, browsers, SESSION, in.word(), -1, "Strict");
            trail.get()
                    .ifPresent(here -> here.end(
                            AuditRecord.login(in.caller(), "rest"), Outcome.DONE, HttpServletResponse.SC_SEE_OTHER));
            redirect(response, browsers.map().toString());
        } catch (LoginRefused e) {
            LOG.info("login at the issuer's page refused address={} reason={}", address, e.getMessage());
            if (REFUSED.contains(e.status())) {
                Caller caller = new Caller(e.user(), Set.of(), Caller.How.OIDC, address);
                trail.get().ifPresent(here -> here.stranger(AuditRecord.login(caller, "rest"), e.status()));
            }
            tell(response, browsers, e);
        }
    }

    private void end(BrowserLogins browsers, HttpServletRequest request, HttpServletResponse response)
            throws IOException {
        Optional<Caller> who = SessionCookie.shown(request).flatMap(browsers::end);
        if (who.isEmpty()) {
            ErrorServlet.write(response, HttpServletResponse.SC_UNAUTHORIZED, "this login is over already");
            return;
        }
        Caller caller = who.get();
        trail.get()
                .ifPresent(
                        here -> here.end(AuditRecord.logout(caller, "rest"), Outcome.DONE, HttpServletResponse.SC_OK));
        forget(response, browsers, SESSION);
        ObjectNode answer = JsonNodeFactory.instance.objectNode();
        browsers.endPage().ifPresent(page -> answer.put("issuer", page.toString()));
        answer(response, answer);
    }

    private static String parameter(HttpServletRequest request, String name) {
        return Optional.ofNullable(request.getParameter(name)).orElse("");
    }

    private static void tell(HttpServletResponse response, BrowserLogins browsers, LoginRefused refused) {
        String sentence = String.valueOf(refused.getMessage());
        String told = sentence.substring(0, Math.min(LONGEST_TOLD, sentence.length()));
        keep(response, browsers, TOLD, browsers.told(told), TOLD_SECONDS, "Strict");
        redirect(response, browsers.map().toString());
    }

    private static void forget(HttpServletResponse response, BrowserLogins browsers, String name) {
        keep(response, browsers, name, "", 0, "Strict");
    }

    /** @param seconds until it is forgotten; negative: with the browser */
    private static void keep(
            HttpServletResponse response, BrowserLogins browsers, String name, String value, int seconds, String site) {
        // By hand: this release of the servlet interface has no SameSite.
        response.addHeader(
                "Set-Cookie",
                name + "=" + value + "; Path=" + browsers.path() + (seconds < 0 ? "" : "; Max-Age=" + seconds)
                        + "; HttpOnly; SameSite=" + site + (browsers.encrypted() ? "; Secure" : ""));
    }

    private static void redirect(HttpServletResponse response, String to) {
        response.setStatus(HttpServletResponse.SC_SEE_OTHER);
        response.setHeader("Location", to);
    }

    private static void answer(HttpServletResponse response, ObjectNode body) throws IOException {
        response.setContentType("application/json");
        response.getOutputStream().write(body.toString().getBytes(StandardCharsets.UTF_8));
    }
}
