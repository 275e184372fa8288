// SPDX-License-Identifier: Apache-2.0
package org.sextant.web;

import java.io.IOException;
import javax.servlet.http.HttpServlet;
import javax.servlet.http.HttpServletRequest;
import javax.servlet.http.HttpServletResponse;

/** A file that is not there is reported like every other error below /srv6: as problem+json (RFC 7807). */
public final class NotFoundServlet extends HttpServlet {
    private static final long serialVersionUID = 1L;

    @Override
    protected void service(HttpServletRequest request, HttpServletResponse response) throws IOException {
        problem(
                response,
                HttpServletResponse.SC_NOT_FOUND,
                "Not Found",
                "there is no such file; the map is at /srv6/ui/");
    }

    static void problem(HttpServletResponse response, int status, String title, String detail) throws IOException {
        response.setStatus(status);
        response.setContentType("application/problem+json");
        response.getOutputStream()
                .print("{\"title\":\"" + title + "\",\"status\":" + status + ",\"detail\":\"" + detail + "\"}");
    }
}
