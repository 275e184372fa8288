// SPDX-License-Identifier: Apache-2.0
package org.sextant.northbound.rest;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.UUID;
import javax.ws.rs.WebApplicationException;
import javax.ws.rs.core.Context;
import javax.ws.rs.core.HttpHeaders;
import javax.ws.rs.core.Request;
import javax.ws.rs.core.Response;
import javax.ws.rs.ext.ExceptionMapper;
import javax.ws.rs.ext.Provider;
import org.sextant.core.Problem;
import org.sextant.core.ProblemException;
import org.sextant.core.Reason;
import org.sextant.core.json.ProblemJson;
import org.sextant.core.port.NodeUnavailableException;
import org.sextant.core.port.StoreUnavailableException;
import org.sextant.northbound.audit.AuditLogUnavailableException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Every failure leaves as problem+json (RFC 7807) that names field and remedy; a stack trace never leaves. */
@Provider
public class ProblemMapper implements ExceptionMapper<Throwable> {
    static final String MEDIA_TYPE = "application/problem+json";
    private static final int STORAGE_RETRY_SECONDS = 5;
    private static final Logger LOG = LoggerFactory.getLogger(ProblemMapper.class);

    @Context
    private Request request;

    @Override
    public Response toResponse(Throwable thrown) {
        if (thrown instanceof ProblemException e) {
            return problems(e.problems(), "POST".equals(request.getMethod()) || "PUT".equals(request.getMethod()));
        }
        if (thrown instanceof WebApplicationException e) {
            return http(e.getResponse(), Reason.of(e));
        }
        if (thrown instanceof NodeUnavailableException e) {
            return response(503, body(503, "Node not available", Reason.of(e)));
        }
        if (thrown instanceof StoreUnavailableException e) {
            return Response.fromResponse(response(503, body(503, "Storage not available", Reason.of(e))))
                    .header("Retry-After", STORAGE_RETRY_SECONDS)
                    .build();
        }
        if (thrown instanceof AuditLogUnavailableException e) {
            return response(503, body(503, "Audit trail not available", Reason.of(e)));
        }
        String reference = UUID.randomUUID().toString();
        LOG.error("rest fault reference={}", reference, thrown);
        return response(
                500,
                body(
                        500,
                        "Internal error",
                        "a fault of the controller; its log has the details under reference " + reference));
    }

    /** A conflicting intent is named by its address, or by a name that it may have. */
    static Response of(List<Problem> problems) {
        return problems(problems, false);
    }

    /** @param inBody whether names stand in the request's body: the named objects are missing, not the address */
    private static Response problems(List<Problem> problems, boolean inBody) {
        int status = ProblemJson.status(problems, inBody);
        ObjectNode body = body(status, title(status), problems.get(0).toString());
        body.set("errors", ProblemJson.list(problems));
        return response(status, body);
    }

    private static String title(int status) {
        return switch (status) {
            case 400 -> "The request is not valid";
            case 404 -> "Something named in the request does not exist";
            case 409 -> "Something else owns what is asked for";
            case 412 -> "It is not what it was";
            default -> "This network cannot do it";
        };
    }

    /** @param said the message of a resource that is not available now, here, or to this user */
    private static Response http(Response from, String said) {
        int status = from.getStatus();
        if (status < 400) {
            return from;
        }
        ObjectNode body = http(status);
        if ((status == 503 || status == 501 || status == 403) && !said.startsWith("HTTP ")) {
            body.put("detail", said);
        }
        Response.ResponseBuilder builder =
                Response.status(status).type(MEDIA_TYPE).entity(body);
        from.getHeaders()
                .getOrDefault(HttpHeaders.RETRY_AFTER, List.of())
                .forEach(value -> builder.header(HttpHeaders.RETRY_AFTER, value));
        return allowing(builder, from.getAllowedMethods()).build();
    }

    /** Says in the header Allow (RFC 9110, 10.2.1) which methods the address has; Jersey leaves HEAD out, which it serves by GET. */
    private static Response.ResponseBuilder allowing(Response.ResponseBuilder answer, Set<String> methods) {
        Set<String> all = new TreeSet<>(methods);
        if (all.contains("GET")) {
            all.add("HEAD");
        }
        return all.isEmpty() ? answer : answer.header(HttpHeaders.ALLOW, String.join(", ", all));
    }

    /** The body for a status that HTTP itself, not an intent, gives rise to. */
    static ObjectNode http(int status) {
        Response.Status known = Response.Status.fromStatusCode(status);
        String title = known == null ? "Error" : known.getReasonPhrase();
        return body(status, title, detail(status, title));
    }

    private static String detail(int status, String otherwise) {
        return switch (status) {
            case 400 -> "the request is not proper HTTP, or its body ended early";
            case 401 -> "log in with a user and a password (HTTP basic authentication)";
            case 403 -> "this user may not do that";
            case 404 -> "there is nothing at this address; /srv6/openapi.json lists what there is";
            case 405 -> "this address does not take this method; /srv6/openapi.json lists what it takes";
            case 406 -> "this address answers application/json";
            case 408 -> "the body of the request came too slowly, or not at all";
            case 413 -> "a list may have 100,000 elements and 64 MiB; send it in parts";
            case 415 -> "send application/json";
            case 503 -> "too many large requests at once; come back in a few seconds";
            default -> otherwise;
        };
    }

    private static Response response(int status, ObjectNode body) {
        return Response.status(status).type(MEDIA_TYPE).entity(body).build();
    }

    private static ObjectNode body(int status, String title, String detail) {
        return JsonNodeFactory.instance
                .objectNode()
                .put("title", title)
                .put("status", status)
                .put("detail", detail);
    }
}
