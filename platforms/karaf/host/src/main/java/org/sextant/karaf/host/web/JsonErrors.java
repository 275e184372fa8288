// SPDX-License-Identifier: Apache-2.0
package org.sextant.karaf.host.web;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import javax.servlet.RequestDispatcher;
import javax.servlet.http.HttpServletRequest;
import javax.servlet.http.HttpServletResponse;
import org.eclipse.jetty.http.HttpFields;
import org.eclipse.jetty.http.HttpHeader;
import org.eclipse.jetty.http.HttpStatus;
import org.eclipse.jetty.server.Request;
import org.eclipse.jetty.server.handler.ErrorHandler;

/**
 * Errors of the web container itself as problem+json (RFC 7807): addresses of no application, and requests that are no
 * proper HTTP.
 */
final class JsonErrors extends ErrorHandler {
    private static final String MEDIA_TYPE = "application/problem+json";

    @Override
    public boolean errorPageForMethod(String method) {
        return true;
    }

    @Override
    public void doError(String target, Request base, HttpServletRequest request, HttpServletResponse response)
            throws IOException {
        Object code = request.getAttribute(RequestDispatcher.ERROR_STATUS_CODE);
        int status = code instanceof Integer given ? given : response.getStatus();
        String address = request.getRequestURI(); // there is no target when no handler took the request
        if (status == HttpServletResponse.SC_NOT_FOUND && address != null && address.startsWith("/srv6/")) {
            // The application answers for addresses that it does not have: it is not there yet.
            status = HttpServletResponse.SC_SERVICE_UNAVAILABLE;
            response.setStatus(status);
            response.setHeader("Retry-After", "1");
        }
        response.setContentType(MEDIA_TYPE);
        response.getOutputStream().write(body(status));
        base.setHandled(true);
    }

    @Override
    public ByteBuffer badMessageError(int status, String reason, HttpFields fields) {
        fields.put(HttpHeader.CONTENT_TYPE, MEDIA_TYPE);
        return ByteBuffer.wrap(body(status));
    }

    private static byte[] body(int status) {
        String detail = switch (status) {
            case 404 ->
                "there is nothing at this address; the map is at /srv6/ui/, and /srv6/openapi.json lists what"
                        + " REST offers";
            case 503 -> "the controller is starting: come back in a few seconds";
            default -> "the request is not proper HTTP";
        };
        return JsonNodeFactory.instance
                .objectNode()
                .put("title", HttpStatus.getMessage(status))
                .put("status", status)
                .put("detail", detail)
                .toString()
                .getBytes(StandardCharsets.UTF_8);
    }
}
