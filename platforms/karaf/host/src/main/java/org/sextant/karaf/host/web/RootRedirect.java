// SPDX-License-Identifier: Apache-2.0
package org.sextant.karaf.host.web;

import java.nio.file.Path;
import java.util.Set;
import javax.servlet.http.HttpServletRequest;
import javax.servlet.http.HttpServletResponse;
import org.eclipse.jetty.server.Request;
import org.eclipse.jetty.server.handler.AbstractHandler;

/**
 * Leads browsers that ask for the host's name alone to the map. Stands in front of the web applications, so that {@code
 * /srv6/} asks for no login on the way; the web container starts it with itself, before it listens, and so it is here
 * that the door is locked off loopback ({@link HttpsOnly}), that its limits are set ({@link Limits}), and that its
 * errors become ours.
 */
final class RootRedirect extends AbstractHandler {
    private static final String MAP = "/srv6/ui/";
    private static final Set<String> DOORS = Set.of("/", "/srv6", "/srv6/");
    private static final Set<String> READING = Set.of("GET", "HEAD");

    private final Path https;

    /** @param https folder of certificate and key, which are needed off loopback only */
    RootRedirect(Path https) {
        this.https = https;
    }

    @Override
    protected void doStart() throws Exception {
        super.doStart();
        JsonErrors errors = new JsonErrors();
        // Before the server starts it, after which it would not take the server any more.
        errors.setServer(getServer());
        getServer().setErrorHandler(errors);
        HttpsOnly.offLoopback(getServer(), https);
        Limits.USUAL.hold(getServer());
    }

    @Override
    public void handle(String target, Request base, HttpServletRequest request, HttpServletResponse response) {
        if (DOORS.contains(target) && READING.contains(request.getMethod())) {
            response.setStatus(HttpServletResponse.SC_SEE_OTHER);
            response.setHeader("Location", MAP);
            base.setHandled(true);
        }
    }
}
