// SPDX-License-Identifier: Apache-2.0
package org.sextant.northbound.rest;

import java.io.IOException;
import java.util.Optional;
import java.util.function.Supplier;
import javax.servlet.Filter;
import javax.servlet.FilterChain;
import javax.servlet.FilterConfig;
import javax.servlet.ServletException;
import javax.servlet.ServletRequest;
import javax.servlet.ServletResponse;
import javax.servlet.http.HttpServletRequest;
import javax.servlet.http.HttpServletResponse;
import org.sextant.northbound.audit.AuditLog;
import org.sextant.northbound.audit.CurrentAuditLog;

/** A filter that has something recorded in the trail that there is when it happens. */
abstract class RecordingFilter implements Filter {
    private final Supplier<Optional<AuditLog>> trail;
    private final Runnable end;

    /** As the web container makes it. */
    RecordingFilter() {
        CurrentAuditLog tracked = new CurrentAuditLog();
        this.trail = tracked;
        this.end = tracked::close;
    }

    RecordingFilter(Supplier<Optional<AuditLog>> trail) {
        this.trail = trail;
        this.end = () -> {};
    }

    /** None while the controller starts. */
    final Optional<AuditLog> trail() {
        return trail.get();
    }

    abstract void filter(HttpServletRequest request, HttpServletResponse response, FilterChain chain)
            throws IOException, ServletException;

    @Override
    public final void init(FilterConfig config) {
        // Nothing to configure.
    }

    @Override
    public final void destroy() {
        end.run();
    }

    @Override
    public final void doFilter(ServletRequest request, ServletResponse response, FilterChain chain)
            throws IOException, ServletException {
        filter((HttpServletRequest) request, (HttpServletResponse) response, chain);
    }
}
