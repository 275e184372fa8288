// SPDX-License-Identifier: Apache-2.0
package org.sextant.web;

import java.io.IOException;
import java.util.Set;
import javax.servlet.Filter;
import javax.servlet.FilterChain;
import javax.servlet.FilterConfig;
import javax.servlet.ServletException;
import javax.servlet.ServletRequest;
import javax.servlet.ServletResponse;
import javax.servlet.http.HttpServletRequest;
import javax.servlet.http.HttpServletResponse;

/**
 * Restricts browsers to this page's own scripts and styles and its own controller: text that an attacker managed to put
 * into a name or a reason cannot become code. Allows only reading.
 */
public final class HeadersFilter implements Filter {
    private static final String POLICY =
            "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:;"
                    + " font-src 'self'; connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'";

    /** Names of assets change with their content. */
    private static final String FOREVER = "public, max-age=31536000, immutable";

    private static final Set<String> READING = Set.of("GET", "HEAD");

    @Override
    public void init(FilterConfig config) {
        // Nothing to configure.
    }

    @Override
    public void doFilter(ServletRequest request, ServletResponse response, FilterChain chain)
            throws IOException, ServletException {
        HttpServletResponse http = (HttpServletResponse) response;
        http.setHeader("Content-Security-Policy", POLICY);
        http.setHeader("X-Content-Type-Options", "nosniff");
        http.setHeader("Referrer-Policy", "no-referrer");
        http.setHeader("Cross-Origin-Opener-Policy", "same-origin");
        boolean asset = ((HttpServletRequest) request).getServletPath().startsWith("/assets/");
        http.setHeader("Cache-Control", asset ? FOREVER : "no-cache");
        if (READING.contains(((HttpServletRequest) request).getMethod())) {
            chain.doFilter(request, response);
        } else {
            http.setHeader("Allow", "GET, HEAD");
            NotFoundServlet.problem(
                    http,
                    HttpServletResponse.SC_METHOD_NOT_ALLOWED,
                    "Method Not Allowed",
                    "the map is files, which are read");
        }
    }

    @Override
    public void destroy() {
        // Nothing to close.
    }
}
