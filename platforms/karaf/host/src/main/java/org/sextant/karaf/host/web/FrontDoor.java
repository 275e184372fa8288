// SPDX-License-Identifier: Apache-2.0
package org.sextant.karaf.host.web;

import java.nio.file.Path;
import java.util.Set;
import javax.servlet.http.HttpServletRequest;
import javax.servlet.http.HttpServletResponse;
import org.eclipse.jetty.server.Handler;
import org.eclipse.jetty.server.Request;
import org.eclipse.jetty.server.handler.AbstractHandler;
import org.osgi.framework.BundleContext;
import org.osgi.service.component.annotations.Activate;
import org.osgi.service.component.annotations.Component;

/**
 * Whoever types only the host's name into a browser gets to the map. Stands in front of the web applications, so that
 * {@code /srv6/} asks for no login on the way; the web container starts it with itself, and so it is here that the door is
 * locked off loopback ({@link Encrypted}).
 */
@Component(service = Handler.class, property = "service.ranking:Integer=1")
public final class FrontDoor extends AbstractHandler {
    private static final String MAP = "/srv6/ui/";
    private static final Set<String> DOORS = Set.of("/", "/srv6", "/srv6/");
    private static final Set<String> READING = Set.of("GET", "HEAD");

    private Path https = Path.of("");

    @Activate
    void activate(BundleContext context) {
        https = Path.of(context.getProperty("karaf.etc")).resolve("sextant").resolve("https");
    }

    @Override
    protected void doStart() throws Exception {
        super.doStart();
        JsonErrors errors = new JsonErrors();
        // Before the server starts it, after which it would not take the server any more.
        errors.setServer(getServer());
        getServer().setErrorHandler(errors);
        Encrypted.offLoopback(getServer(), https);
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
