// SPDX-License-Identifier: Apache-2.0
package org.sextant.northbound.rest;

import java.io.IOException;
import java.util.Optional;
import java.util.function.Supplier;
import javax.servlet.AsyncContext;
import javax.servlet.AsyncEvent;
import javax.servlet.AsyncListener;
import javax.servlet.DispatcherType;
import javax.servlet.FilterChain;
import javax.servlet.ServletException;
import javax.servlet.ServletRequest;
import javax.servlet.ServletResponse;
import javax.servlet.http.HttpServletRequest;
import javax.servlet.http.HttpServletRequestWrapper;
import javax.servlet.http.HttpServletResponse;
import org.sextant.northbound.access.Caller;
import org.sextant.northbound.audit.AuditLog;
import org.sextant.northbound.audit.AuditRecord;
import org.sextant.northbound.audit.Outcome;

/**
 * Records requests of accepted users that are refused before REST sees them: bodies that are too long, too slow or too
 * many. Passes the caller to {@link Recording}, which has the rest. Stands behind the login.
 */
public class AuditLogFilter extends RecordingFilter {
    public AuditLogFilter() {}

    AuditLogFilter(Supplier<Optional<AuditLog>> trail) {
        super(trail);
    }

    @Override
    void filter(HttpServletRequest request, HttpServletResponse response, FilterChain chain)
            throws IOException, ServletException {
        Optional<Caller> caller = Caller.of(request);
        if (request.getDispatcherType() != DispatcherType.REQUEST || caller.isEmpty()) {
            chain.doFilter(request, response);
            return;
        }
        request.setAttribute(Recording.CALLER, caller.get());
        if (Recording.READING.contains(request.getMethod())) {
            chain.doFilter(request, response);
            return;
        }
        Ended ended = new Ended(request, response, caller.get());
        Watched watched = new Watched(request, ended);
        chain.doFilter(watched, response);
        if (!watched.waits) {
            ended.record();
        }
    }

    /**
     * Knows whether a listener behind waits. Afterwards the request does not show it reliably: it may go on already.
     */
    private static final class Watched extends HttpServletRequestWrapper {
        private final AsyncListener ended;
        private boolean waits;

        Watched(HttpServletRequest request, AsyncListener ended) {
            super(request);
            this.ended = ended;
        }

        @Override
        public AsyncContext startAsync() {
            return watched(super.startAsync());
        }

        @Override
        public AsyncContext startAsync(ServletRequest request, ServletResponse response) {
            return watched(super.startAsync(request, response));
        }

        private AsyncContext watched(AsyncContext context) {
            waits = true;
            context.addListener(ended);
            return context;
        }
    }

    /** The work to do when the answer is known. */
    private final class Ended implements AsyncListener {
        private final HttpServletRequest request;
        private final HttpServletResponse response;
        private final Caller caller;

        Ended(HttpServletRequest request, HttpServletResponse response, Caller caller) {
            this.request = request;
            this.response = response;
            this.caller = caller;
        }

        void record() {
            if (request.getAttribute(Recording.RECORDED) == null) {
                String path = Optional.ofNullable(request.getPathInfo()).orElse("/");
                AuditRecord deed = AuditRecord.change(caller, "rest", request.getMethod(), path.substring(1));
                int status = response.getStatus();
                trail().ifPresent(here -> here.end(deed, Outcome.of(status), status));
            }
        }

        @Override
        public void onComplete(AsyncEvent event) {
            record();
        }

        @Override
        public void onTimeout(AsyncEvent event) {
            // The waiting listener answers it.
        }

        @Override
        public void onError(AsyncEvent event) {
            // It completes all the same.
        }

        @Override
        public void onStartAsync(AsyncEvent event) {
            event.getAsyncContext().addListener(this);
        }
    }
}
