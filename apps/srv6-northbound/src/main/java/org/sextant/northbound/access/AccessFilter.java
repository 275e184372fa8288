// SPDX-License-Identifier: Apache-2.0
package org.sextant.northbound.access;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.security.Principal;
import java.util.Optional;
import java.util.Set;
import javax.servlet.Filter;
import javax.servlet.FilterChain;
import javax.servlet.FilterConfig;
import javax.servlet.ServletException;
import javax.servlet.ServletRequest;
import javax.servlet.ServletResponse;
import javax.servlet.http.HttpServletRequest;
import javax.servlet.http.HttpServletRequestWrapper;
import javax.servlet.http.HttpServletResponse;
import org.jspecify.annotations.Nullable;
import org.osgi.framework.Bundle;
import org.osgi.framework.FrameworkUtil;
import org.osgi.util.tracker.ServiceTracker;
import org.sextant.core.access.Role;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The door of REST: behind it every request has a {@link Caller}. Not the web container's own authentication, which knows
 * passwords only and asks for them in a way of its own on each host.
 */
public class AccessFilter implements Filter {
    private static final Logger LOG = LoggerFactory.getLogger(AccessFilter.class);
    private static final Set<String> READING = Set.of("GET", "HEAD", "OPTIONS");
    private static final Set<String> OF_OTHERS = Set.of("cross-site", "same-site");

    /** The login servlet's part of the addresses, which needs no credentials. */
    private static final String LOGGING_IN = "/login";

    /** The health servlet's part of the addresses, which needs no credentials, and shows more to callers that have some. */
    private static final String HEALTH = "/health";

    private @Nullable ServiceTracker<Logins, Logins> logins;

    @Override
    public void init(FilterConfig config) {
        Bundle bundle = FrameworkUtil.getBundle(AccessFilter.class);
        logins = new ServiceTracker<>(bundle.getBundleContext(), Logins.class, null);
        logins.open();
    }

    @Override
    public void destroy() {
        if (logins != null) {
            logins.close();
        }
    }

    /** The logins in use; null while the controller starts. */
    protected @Nullable Logins logins() {
        return logins == null ? null : logins.getService();
    }

    @Override
    public void doFilter(ServletRequest request, ServletResponse response, FilterChain chain)
            throws IOException, ServletException {
        HttpServletRequest http = (HttpServletRequest) request;
        HttpServletResponse answer = (HttpServletResponse) response;
        if (http.getUserPrincipal() instanceof Caller) {
            chain.doFilter(request, response); // it was here before, and is dispatched again
            return;
        }
        Logins now = logins();
        if (HEALTH.equals(http.getServletPath()) && (now == null || !hasCredentials(http))) {
            chain.doFilter(request, response);
        } else if (now == null) {
            refuse(http, answer, LoginRefused.unavailable("the controller is starting: it knows no users yet"));
        } else if (!READING.contains(http.getMethod()) && OF_OTHERS.contains("" + http.getHeader("Sec-Fetch-Site"))) {
            // A browser that remembers a password sends it along with requests that another site's page makes it send.
            problem(answer, 403, "a page of another site may change nothing here");
        } else if (LOGGING_IN.equals(http.getServletPath())) {
            // By which servlet the container has chosen, so that no spelling of an address gets by.
            chain.doFilter(request, response);
        } else {
            serve(now, http, answer, chain);
        }
    }

    private static void serve(Logins logins, HttpServletRequest request, HttpServletResponse answer, FilterChain chain)
            throws IOException, ServletException {
        Caller caller;
        try {
            caller = caller(logins, request);
        } catch (LoginRefused e) {
            if (e.status() == HttpServletResponse.SC_UNAUTHORIZED && request.getHeader("Authorization") != null) {
                LOG.info("login refused address={} reason={}", request.getRemoteAddr(), e.getMessage());
            }
            refuse(request, answer, e);
            return;
        }
        chain.doFilter(new Known(request, caller), answer);
    }

    private static Caller caller(Logins logins, HttpServletRequest request) throws LoginRefused {
        String authorization = request.getHeader("Authorization");
        String address = "" + request.getRemoteAddr();
        Optional<String> word = SessionCookie.shown(request);
        return authorization == null && word.isPresent()
                ? logins.session(word.get(), address)
                : logins.login(authorization, address);
    }

    private static boolean hasCredentials(HttpServletRequest request) {
        return request.getHeader("Authorization") != null
                || SessionCookie.shown(request).isPresent();
    }

    private static void refuse(HttpServletRequest request, HttpServletResponse response, LoginRefused refused)
            throws IOException {
        if (refused.status() == HttpServletResponse.SC_UNAUTHORIZED) {
            // To a page that has a session a browser would ask for a password of its own accord.
            if (request.getHeader(SessionCookie.HEADER) == null) {
                response.addHeader("WWW-Authenticate", "Basic realm=\"Sextant\", charset=\"UTF-8\"");
            }
            response.addHeader("WWW-Authenticate", "Bearer realm=\"Sextant\"");
        }
        if (refused.retrySeconds() > 0) {
            response.setHeader("Retry-After", Long.toString(refused.retrySeconds()));
        }
        problem(response, refused.status(), String.valueOf(refused.getMessage()));
    }

    private static void problem(HttpServletResponse response, int status, String detail) throws IOException {
        String title = switch (status) {
            case 401 -> "Unauthorized";
            case 403 -> "Forbidden";
            case 429 -> "Too Many Requests";
            default -> "Service Unavailable";
        };
        response.setStatus(status);
        response.setContentType("application/problem+json");
        response.setHeader("Cache-Control", "no-store");
        response.setHeader("X-Content-Type-Options", "nosniff");
        response.getOutputStream()
                .write(JsonNodeFactory.instance
                        .objectNode()
                        .put("title", title)
                        .put("status", status)
                        .put("detail", detail)
                        .toString()
                        .getBytes(StandardCharsets.UTF_8));
    }

    /** A request of an authenticated caller. */
    private static final class Known extends HttpServletRequestWrapper {
        private final Caller caller;

        Known(HttpServletRequest request, Caller caller) {
            super(request);
            this.caller = caller;
        }

        @Override
        public Principal getUserPrincipal() {
            return caller;
        }

        @Override
        public String getRemoteUser() {
            return caller.name();
        }

        @Override
        public boolean isUserInRole(String role) {
            return Role.named(role).filter(caller::may).isPresent();
        }

        @Override
        public String getAuthType() {
            return caller.how() == Caller.How.PASSWORD ? BASIC_AUTH : "BEARER";
        }
    }
}
