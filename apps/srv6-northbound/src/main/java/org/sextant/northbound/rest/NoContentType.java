// SPDX-License-Identifier: Apache-2.0
package org.sextant.northbound.rest;

import java.util.Set;
import javax.ws.rs.container.ContainerRequestContext;
import javax.ws.rs.container.ContainerRequestFilter;
import javax.ws.rs.container.PreMatching;
import javax.ws.rs.core.HttpHeaders;
import javax.ws.rs.ext.Provider;

/**
 * Where no body is read, its type does not matter (RFC 9110, 9.3.1). A method that names no type takes those that
 * Jersey has readers for; in ONOS that is text/plain alone, so that a client that always sends {@code Content-Type:
 * application/json} was answered 415.
 */
@Provider
@PreMatching
public class NoContentType implements ContainerRequestFilter {
    private static final Set<String> WITHOUT_BODY = Set.of("GET", "HEAD", "OPTIONS", "DELETE");

    @Override
    public void filter(ContainerRequestContext request) {
        if (WITHOUT_BODY.contains(request.getMethod())) {
            request.getHeaders().remove(HttpHeaders.CONTENT_TYPE);
        }
    }
}
