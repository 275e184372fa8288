// SPDX-License-Identifier: Apache-2.0
package org.sextant.northbound.rest;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import java.util.function.Supplier;
import javax.servlet.Filter;
import javax.servlet.FilterChain;
import javax.servlet.FilterConfig;
import javax.servlet.ServletException;
import javax.servlet.ServletRequest;
import javax.servlet.ServletResponse;
import javax.servlet.http.HttpServletRequest;
import javax.servlet.http.HttpServletResponse;
import org.jspecify.annotations.Nullable;
import org.sextant.northbound.access.Caller;
import org.sextant.northbound.trail.Deed;
import org.sextant.northbound.trail.Trail;
import org.sextant.northbound.trail.Trails;

/** Has logins recorded that failed. Stands in front of whatever decides about them; of what was shown, only the name is told. */
public class LoginWatch implements Filter {
    private static final int TOO_MANY = 429;
    private static final Set<Integer> REFUSED =
            Set.of(HttpServletResponse.SC_UNAUTHORIZED, TOO_MANY, HttpServletResponse.SC_FORBIDDEN);

    private final @Nullable Trails tracked;
    private final Supplier<Optional<Trail>> trail;

    public LoginWatch() {
        Trails trails = new Trails();
        this.tracked = trails;
        this.trail = trails;
    }

    LoginWatch(Supplier<Optional<Trail>> trail) {
        this.tracked = null;
        this.trail = trail;
    }

    @Override
    public void init(FilterConfig config) {
        // Nothing to configure.
    }

    @Override
    public void destroy() {
        if (tracked != null) {
            tracked.close();
        }
    }

    @Override
    public void doFilter(ServletRequest request, ServletResponse response, FilterChain chain)
            throws IOException, ServletException {
        chain.doFilter(request, response);
        HttpServletRequest http = (HttpServletRequest) request;
        int status = ((HttpServletResponse) response).getStatus();
        String shown = http.getHeader("Authorization");
        // Who was let in is told by those behind.
        if (shown != null && REFUSED.contains(status) && http.getAttribute(Recording.CALLER) == null) {
            trail.get().ifPresent(here -> here.stranger(Deed.login(stranger(http, shown), "rest"), status));
        }
    }

    private static Caller stranger(HttpServletRequest request, String shown) {
        String address = Optional.ofNullable(request.getRemoteAddr()).orElse("");
        return shown.toLowerCase(Locale.ROOT).startsWith("basic ")
                ? new Caller(name(shown.substring(6).trim()), Set.of(), Caller.How.PASSWORD, address)
                : new Caller("", Set.of(), Caller.How.TOKEN, address);
    }

    private static String name(String credentials) {
        try {
            String decoded = new String(Base64.getDecoder().decode(credentials), StandardCharsets.UTF_8);
            return decoded.substring(0, Math.max(0, decoded.indexOf(':')));
        } catch (IllegalArgumentException e) {
            return "";
        }
    }
}
