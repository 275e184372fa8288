// SPDX-License-Identifier: Apache-2.0
package org.sextant.northbound.rest;

import java.io.IOException;
import java.util.Set;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.stream.Stream;
import javax.servlet.AsyncContext;
import javax.servlet.AsyncEvent;
import javax.servlet.AsyncListener;
import javax.servlet.DispatcherType;
import javax.servlet.Filter;
import javax.servlet.FilterChain;
import javax.servlet.FilterConfig;
import javax.servlet.ReadListener;
import javax.servlet.ServletException;
import javax.servlet.ServletInputStream;
import javax.servlet.ServletRequest;
import javax.servlet.ServletResponse;
import javax.servlet.http.HttpServletRequest;
import javax.servlet.http.HttpServletResponse;
import org.sextant.core.access.Role;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Takes in the whole body of a request before the request is served, by events and not by a thread that waits: a slow
 * client holds a buffer, not one of the server's threads, so that hundreds of them keep no other client waiting. All
 * bodies together have a {@link Budget}; one that does not fit is asked to come back.
 *
 * <p>The body of a user that may not write is not read, so none is taken in: the answer is 403 all the same.
 */
public class BodyFilter implements Filter {
    /** The longest body: a list of policies. */
    static final long MAX_BYTES = 64L << 20;

    private static final long RESERVE = 16L << 20;
    private static final long GRACE_NANOS = 30_000_000_000L;
    private static final long LEAST_BYTES_PER_SECOND = 10_000;
    private static final long LONGEST_MILLIS = 600_000;
    private static final String RETRY_SECONDS = "5";
    private static final Set<String> WITH_BODY = Set.of("POST", "PUT", "PATCH", "DELETE");
    private static final Logger LOG = LoggerFactory.getLogger(BodyFilter.class);

    private final Budget budget;
    private final long graceNanos;

    /** A sixth of the heap is for bodies: with the default of 512 MiB, one list of the longest and many small ones. */
    public BodyFilter() {
        this(new Budget(Math.max(2 * RESERVE, Runtime.getRuntime().maxMemory() / 6), RESERVE), GRACE_NANOS);
    }

    /** @param graceNanos how long a body may take before it has to come at the least rate */
    BodyFilter(Budget budget, long graceNanos) {
        this.budget = budget;
        this.graceNanos = graceNanos;
    }

    @Override
    public void init(FilterConfig config) {
        // Nothing to configure.
    }

    @Override
    public void doFilter(ServletRequest request, ServletResponse response, FilterChain chain)
            throws IOException, ServletException {
        HttpServletRequest http = (HttpServletRequest) request;
        if (http.getDispatcherType() == DispatcherType.ASYNC) {
            chain.doFilter(request, response); // taken in before; ONOS filters dispatched requests again
        } else if (!WITH_BODY.contains(http.getMethod()) || !hasBody(http) || !mayWrite(http)) {
            chain.doFilter(request, response);
        } else if (http.getContentLengthLong() > MAX_BYTES) {
            refuse((HttpServletResponse) response, 413);
        } else {
            takeIn(http, (HttpServletResponse) response);
        }
    }

    private static boolean mayWrite(HttpServletRequest request) {
        return Stream.of(Role.OPERATOR, Role.SECURITY, Role.ADMIN).anyMatch(role -> request.isUserInRole(role.word()));
    }

    private static boolean hasBody(HttpServletRequest request) {
        return request.getContentLengthLong() > 0 || request.getHeader("Transfer-Encoding") != null;
    }

    private void takeIn(HttpServletRequest request, HttpServletResponse response) throws IOException {
        Body body = new Body(budget);
        AsyncContext async = request.startAsync(new WholeRequest(request, body), response);
        async.setTimeout(LONGEST_MILLIS);
        Reader reader = new Reader(async, request.getInputStream(), response, body);
        async.addListener(reader);
        request.getInputStream().setReadListener(reader);
    }

    @Override
    public void destroy() {
        // Nothing to close.
    }

    private static void refuse(HttpServletResponse response, int status) throws IOException {
        if (status == 503) {
            response.setHeader("Retry-After", RETRY_SECONDS);
        }
        // The rest of the body will not be read, so nothing can follow it.
        response.setHeader("Connection", "close");
        ErrorServlet.write(response, status);
    }

    /** Fills a body as it comes, then has the request served. */
    private final class Reader implements ReadListener, AsyncListener {
        private final AsyncContext async;
        private final ServletInputStream in;
        private final HttpServletResponse response;
        private final Body body;
        private final long start = System.nanoTime();
        private final AtomicBoolean ended = new AtomicBoolean();

        Reader(AsyncContext async, ServletInputStream in, HttpServletResponse response, Body body) {
            this.async = async;
            this.in = in;
            this.response = response;
            this.body = body;
        }

        @Override
        public void onDataAvailable() throws IOException {
            while (!ended.get() && in.isReady() && !in.isFinished()) {
                byte[] segment = body.segment();
                if (segment == null) {
                    end(503);
                    return;
                }
                body.filled(Math.max(0, in.read(segment, body.offset(), body.free())));
                if (body.size() > MAX_BYTES) {
                    end(413);
                } else if (tooSlow()) {
                    end(408);
                }
            }
        }

        private boolean tooSlow() {
            long nanos = System.nanoTime() - start - graceNanos;
            return nanos > 0 && body.size() < LEAST_BYTES_PER_SECOND * (nanos / 1e9);
        }

        @Override
        public void onAllDataRead() {
            if (ended.compareAndSet(false, true)) {
                async.dispatch();
            }
        }

        /** A chunk that is none is the end of the body to the web container, as is a client that goes away. */
        @Override
        public void onError(Throwable fault) {
            LOG.debug("rest body not read: {}", fault.toString());
            end(fault instanceof TimeoutException ? 408 : 400);
        }

        private void end(int status) {
            if (!ended.compareAndSet(false, true)) {
                return;
            }
            body.release();
            try {
                refuse(response, status);
            } catch (IOException gone) {
                LOG.debug("rest client gone: {}", gone.toString());
            }
            async.complete();
        }

        @Override
        public void onTimeout(AsyncEvent event) {
            end(408);
        }

        @Override
        public void onComplete(AsyncEvent event) {
            body.release();
        }

        @Override
        public void onError(AsyncEvent event) {
            body.release();
        }

        @Override
        public void onStartAsync(AsyncEvent event) {
            // Another listener waits, too: this one goes on.
            event.getAsyncContext().addListener(this);
        }
    }
}
