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
import org.sextant.core.intent.Witness;
import org.sextant.core.port.Subscription;
import org.sextant.northbound.access.Caller;
import org.sextant.northbound.trail.Deed;
import org.sextant.northbound.trail.Outcome;
import org.sextant.northbound.trail.Secret;
import org.sextant.northbound.trail.Trail;

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
    private static final String DEED = Deed.class.getName();
    private static final String WITNESS = Witness.class.getName();

    private final Supplier<Optional<Trail>> trail;

    @Context
    private ResourceInfo resource;

    @SuppressWarnings("NullAway.Init") // Jersey sets the field
    Recording(Supplier<Optional<Trail>> trail) {
        this.trail = trail;
    }

    @Override
    public void filter(ContainerRequestContext request) {
        if (resource.getResourceMethod().isAnnotationPresent(Secret.class)) {
            request.setProperty(DEED, Deed.read(caller(request), REST, request.getMethod(), path(request)));
        } else if (!READING.contains(request.getMethod())) {
            request.setProperty(RECORDED, true); // whatever comes of it: if it has no line, there is no room for one
            Deed deed = change(request);
            Trail.required(trail.get()).begin(deed);
            request.setProperty(DEED, deed);
            request.setProperty(WITNESS, Witness.of(deed::changed));
        }
    }

    @Override
    public void filter(ContainerRequestContext request, ContainerResponseContext response) {
        if (request.getProperty(WITNESS) instanceof Subscription witness) {
            witness.close();
        }
        Deed deed = (Deed) request.getProperty(DEED);
        if (deed == null && request.getProperty(RECORDED) == null && !READING.contains(request.getMethod())) {
            deed = change(request); // it was refused before
        }
        Optional<Trail> here = trail.get();
        if (deed != null && here.isPresent()) {
            request.setProperty(RECORDED, true);
            response.getHeaders().putSingle("X-Request-Id", deed.request());
            here.get().end(deed, Outcome.of(response.getStatus()), response.getStatus());
        }
    }

    private Deed change(ContainerRequestContext request) {
        return isDryRun(request)
                ? Deed.dryRun(caller(request), REST, request.getMethod(), path(request))
                : Deed.change(caller(request), REST, request.getMethod(), path(request));
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
