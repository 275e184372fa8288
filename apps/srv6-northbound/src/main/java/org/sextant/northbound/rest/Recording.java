// SPDX-License-Identifier: Apache-2.0
package org.sextant.northbound.rest;

import java.lang.reflect.Method;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Supplier;
import javax.annotation.Priority;
import javax.ws.rs.Priorities;
import javax.ws.rs.container.ContainerRequestContext;
import javax.ws.rs.container.ContainerRequestFilter;
import javax.ws.rs.container.ContainerResponseContext;
import javax.ws.rs.container.ContainerResponseFilter;
import javax.ws.rs.container.ResourceInfo;
import javax.ws.rs.core.Context;
import org.sextant.core.intent.ChangeListener;
import org.sextant.core.port.Subscription;
import org.sextant.northbound.access.Caller;
import org.sextant.northbound.audit.AuditLog;
import org.sextant.northbound.audit.AuditRecord;
import org.sextant.northbound.audit.Outcome;
import org.sextant.northbound.audit.Secret;

/**
 * Has every request recorded that changes something or reads a secret, whichever resource serves it: one that is let in before it
 * is served, all of them before they are answered. Without a line there is no change.
 */
@Priority(Priorities.AUTHORIZATION + 1)
final class Recording implements ContainerRequestFilter, ContainerResponseFilter {
    /** A property of requests that have their line. */
    static final String RECORDED = Recording.class.getName();

    /** The sender, as the web container's side knows it. */
    static final String CALLER = Caller.class.getName();

    static final Set<String> READING = Set.of("GET", "HEAD", "OPTIONS");
    private static final String DRY_RUN = "dryRun";
    private static final String REST = "rest";
    private static final String DEED = AuditRecord.class.getName();
    private static final String WITNESS = ChangeListener.class.getName();

    private final Supplier<Optional<AuditLog>> trail;

    @Context
    private ResourceInfo resource;

    @SuppressWarnings("NullAway.Init") // Jersey sets the field
    Recording(Supplier<Optional<AuditLog>> trail) {
        this.trail = trail;
    }

    @Override
    public void filter(ContainerRequestContext request) {
        if (resource.getResourceMethod().isAnnotationPresent(Secret.class)) {
            request.setProperty(DEED, AuditRecord.read(caller(request), REST, request.getMethod(), path(request)));
        } else if (!READING.contains(request.getMethod())) {
            request.setProperty(RECORDED, true); // whatever comes of it: if it has no line, there is no room for one
            AuditRecord deed = change(request);
            AuditLog.required(trail.get()).begin(deed);
            request.setProperty(DEED, deed);
            request.setProperty(WITNESS, ChangeListener.of(deed::changed));
        }
    }

    @Override
    public void filter(ContainerRequestContext request, ContainerResponseContext response) {
        if (request.getProperty(WITNESS) instanceof Subscription witness) {
            witness.close();
        }
        AuditRecord deed = (AuditRecord) request.getProperty(DEED);
        if (deed == null && request.getProperty(RECORDED) == null && !READING.contains(request.getMethod())) {
            deed = change(request); // it was refused before
        }
        Optional<AuditLog> here = trail.get();
        if (deed != null && here.isPresent()) {
            request.setProperty(RECORDED, true);
            response.getHeaders().putSingle("X-Request-Id", deed.request());
            here.get().end(deed, Outcome.of(response.getStatus()), response.getStatus());
        }
    }

    private AuditRecord change(ContainerRequestContext request) {
        return isDryRun(request)
                ? AuditRecord.dryRun(caller(request), REST, request.getMethod(), path(request))
                : AuditRecord.change(caller(request), REST, request.getMethod(), path(request));
    }

    /** Only if the resource supports the parameter: one that does not would carry out the request. */
    private boolean isDryRun(ContainerRequestContext request) {
        Method method = resource.getResourceMethod();
        return method != null
                && QueryCheck.parametersOf(method).containsKey(DRY_RUN)
                && List.of("true")
                        .equals(request.getUriInfo().getQueryParameters().get(DRY_RUN));
    }

    private static String path(ContainerRequestContext request) {
        return request.getUriInfo().getPath();
    }

    private static Caller caller(ContainerRequestContext request) {
        return request.getProperty(CALLER) instanceof Caller known
                ? known
                : Caller.of(request.getSecurityContext())
                        .orElseGet(() -> new Caller("", Set.of(), Caller.How.PASSWORD, ""));
    }
}
