// SPDX-License-Identifier: Apache-2.0
package org.sextant.northbound.rest;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import java.util.function.Supplier;
import javax.servlet.FilterChain;
import javax.servlet.ServletException;
import javax.servlet.http.HttpServletRequest;
import javax.servlet.http.HttpServletResponse;
import org.sextant.northbound.access.Caller;
import org.sextant.northbound.audit.AuditLog;
import org.sextant.northbound.audit.AuditRecord;

/**
 * Has logins recorded that failed. Stands in front of the filters that decide about them; of the credentials only the
 * name is recorded.
 */
public class LoginWatch extends RecordingFilter {
    private static final int TOO_MANY = 429;
    private static final Set<Integer> REFUSED =
            Set.of(HttpServletResponse.SC_UNAUTHORIZED, TOO_MANY, HttpServletResponse.SC_FORBIDDEN);

    public LoginWatch() {}

    LoginWatch(Supplier<Optional<AuditLog>> trail) {
        super(trail);
    }

    @Override
    void filter(HttpServletRequest request, HttpServletResponse response, FilterChain chain)
            throws IOException, ServletException {
        chain.doFilter(request, response);
        int status = response.getStatus();
        String shown = request.getHeader("Authorization");
        // Accepted callers are recorded by the filters behind.
        if (shown != null && REFUSED.contains(status) && request.getAttribute(Recording.CALLER) == null) {
            trail().ifPresent(here -> here.stranger(AuditRecord.login(stranger(request, shown), "rest"), status));
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
