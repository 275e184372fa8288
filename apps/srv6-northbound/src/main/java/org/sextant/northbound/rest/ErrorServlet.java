// SPDX-License-Identifier: Apache-2.0
package org.sextant.northbound.rest;

import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import javax.servlet.RequestDispatcher;
import javax.servlet.http.HttpServlet;
import javax.servlet.http.HttpServletRequest;
import javax.servlet.http.HttpServletResponse;

/**
 * Requests that the web container refuses before REST sees them (no login, above all) get problem+json, too. A login
 * that is not base64 is the client's fault, but a fault of the server to Jetty's BASIC authentication, with a stack
 * trace.
 */
public class ErrorServlet extends HttpServlet {
    private static final long serialVersionUID = 1L;

    @Override
    protected void service(HttpServletRequest request, HttpServletResponse response) throws IOException {
        Object code = request.getAttribute(RequestDispatcher.ERROR_STATUS_CODE);
        int status = code instanceof Integer known ? known : HttpServletResponse.SC_NOT_FOUND;
        if (status == HttpServletResponse.SC_INTERNAL_SERVER_ERROR
                && request.getAttribute(RequestDispatcher.ERROR_EXCEPTION) instanceof IllegalArgumentException
                && request.getUserPrincipal() == null) {
            status = HttpServletResponse.SC_UNAUTHORIZED;
            response.setHeader("WWW-Authenticate", "Basic realm=\"karaf\"");
        }
        write(response, status);
    }

    /** Answers with the problem of a status. */
    public static void write(HttpServletResponse response, int status) throws IOException {
        write(response, status, ProblemMapper.http(status).get("detail").textValue());
    }

    static void write(HttpServletResponse response, int status, String detail) throws IOException {
        response.setStatus(status);
        response.setContentType(ProblemMapper.MEDIA_TYPE);
        response.getOutputStream()
                .write(new ObjectMapper()
                        .writeValueAsBytes(ProblemMapper.http(status).put("detail", detail)));
    }
}
