// SPDX-License-Identifier: Apache-2.0
package org.sextant.northbound.rest;

import java.lang.annotation.Annotation;
import java.lang.reflect.Method;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import javax.ws.rs.QueryParam;
import javax.ws.rs.container.ContainerRequestContext;
import javax.ws.rs.container.ContainerRequestFilter;
import javax.ws.rs.container.ResourceInfo;
import javax.ws.rs.core.Context;
import javax.ws.rs.core.UriInfo;
import javax.ws.rs.ext.Provider;
import org.sextant.core.Problem;
import org.sextant.core.ProblemException;
import org.sextant.core.json.Fields;

/**
 * The address is read as strictly as the body: a parameter that the resource does not have, one that is given twice and
 * a flag that is neither true nor false are refused. JAX-RS passes over the first and takes the last for false, so that
 * {@code POST …?dryrun=true} and {@code ?dryRun=yes} would install an intent that a user only wanted to look at.
 */
@Provider
public class QueryCheck implements ContainerRequestFilter {
    @Context
    private ResourceInfo resource;

    @Override
    public void filter(ContainerRequestContext request) {
        Map<String, Class<?>> known = parameters(request.getUriInfo());
        List<Problem> problems = new ArrayList<>();
        request.getUriInfo().getQueryParameters().forEach((name, values) -> {
            String field = "/" + Fields.shorten(name).replace("~", "~0").replace("/", "~1");
            if (!known.containsKey(name)) {
                problems.add(new Problem(
                        Problem.Code.INVALID,
                        field,
                        "this address has no parameter \"" + Fields.shorten(name) + "\"",
                        known.isEmpty() ? "leave it out" : "it has " + String.join(", ", known.keySet())));
            } else if (values.size() > 1) {
                problems.add(new Problem(
                        Problem.Code.INVALID,
                        field,
                        "\"" + name + "\" is given " + values.size() + " times",
                        "give it once"));
            } else if (known.get(name) == boolean.class && !values.get(0).matches("true|false")) {
                problems.add(new Problem(
                        Problem.Code.INVALID,
                        field,
                        "\"" + name + "\" is \"" + Fields.shorten(values.get(0)) + "\", neither true nor false",
                        "write " + name + "=true, or leave it out"));
            }
        });
        boolean matrix = request.getUriInfo().getPathSegments().stream()
                .anyMatch(segment -> !segment.getMatrixParameters().isEmpty());
        if (matrix) {
            // JAX-RS would leave it out: DELETE …/policies/a;b would remove a.
            problems.add(new Problem(
                    Problem.Code.INVALID, "", "no name in an address has a \";\"", "write it as %3B if it is meant"));
        }
        if (!problems.isEmpty()) {
            throw new ProblemException(problems);
        }
    }

    private Map<String, Class<?>> parameters(UriInfo uri) {
        Method method = resource.getResourceMethod();
        Map<String, Class<?>> found = new TreeMap<>();
        if (method.isAnnotationPresent(AppResource.Filtered.class)) {
            AppResource<?> app = (AppResource<?>) uri.getMatchedResources().get(0);
            app.filters().forEach(name -> found.put(name, String.class));
        }
        found.putAll(parametersOf(method));
        return found;
    }

    /** The parameters of the address by name, with their types. */
    static Map<String, Class<?>> parametersOf(Method method) {
        Map<String, Class<?>> found = new TreeMap<>();
        Annotation[][] annotations = method.getParameterAnnotations();
        for (int i = 0; i < annotations.length; i++) {
            for (Annotation annotation : annotations[i]) {
                if (annotation instanceof QueryParam parameter) {
                    found.put(parameter.value(), method.getParameterTypes()[i]);
                }
            }
        }
        return found;
    }
}
