// SPDX-License-Identifier: Apache-2.0
package org.sextant.northbound.rest;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.NullNode;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.InputStream;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.security.Principal;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import javax.ws.rs.core.SecurityContext;
import org.glassfish.jersey.internal.MapPropertiesDelegate;
import org.glassfish.jersey.server.ApplicationHandler;
import org.glassfish.jersey.server.ContainerRequest;
import org.glassfish.jersey.server.ContainerResponse;
import org.glassfish.jersey.server.ResourceConfig;
import org.sextant.core.intent.Intents;
import org.sextant.core.rest.RestResource;
import org.sextant.kit.app.SrApp;

/** The REST application in memory: requests go in as bytes, answers come out as status and bytes. */
public final class Client {
    private final ApplicationHandler application;
    private final String role;

    private Client(ApplicationHandler application, String role) {
        this.application = application;
        this.role = role;
    }

    /** An administrator of an application that serves one resource. */
    public static Client of(RestResource resource) {
        return of(RestApplication.of(Set.of(resource)));
    }

    /** An administrator of an application that serves an app, and its own resources. */
    public static Client of(SrApp<?> app, RestResource... beside) {
        Set<Object> resources = new HashSet<>(List.of(beside));
        resources.add(new AppResource<>(app));
        return of(RestApplication.of(resources));
    }

    /** An administrator of an application that serves several apps, and their own resources. */
    public static Client of(List<? extends SrApp<?>> apps, RestResource... beside) {
        Set<Object> resources = new HashSet<>(List.of(beside));
        apps.forEach(app -> resources.add(new AppResource<>(app)));
        return of(RestApplication.of(resources));
    }

    /** Lists of documents of these apps, at {@code apply}. */
    public static RestResource apply(Intents engine, List<? extends SrApp<?>> apps) {
        ApplyResource resource = new ApplyResource();
        resource.engine = engine;
        apps.forEach(resource::addApp);
        return resource;
    }

    static Client of(ResourceConfig config) {
        return new Client(new ApplicationHandler(config), "admin");
    }

    public Client as(String otherRole) {
        return new Client(application, otherRole);
    }

    /** The answer; {@code json} is null where there was no body. */
    public record Answer(
            int status,
            String type,
            String location,
            String link,
            String retryAfter,
            String etag,
            String allow,
            int bytes,
            JsonNode json) {}

    public Answer get(String path) {
        return call("GET", path, InputStream.nullInputStream());
    }

    public Answer delete(String path) {
        return call("DELETE", path, InputStream.nullInputStream());
    }

    /** Single quotes stand for double ones. */
    public Answer post(String path, String json) {
        return call(
                "POST", path, new ByteArrayInputStream(json.replace('\'', '"').getBytes(StandardCharsets.UTF_8)));
    }

    public Answer call(String method, String path, InputStream body) {
        return call(method, path, "application/json", body);
    }

    public Answer call(String method, String path, String type, InputStream body) {
        return call(method, path, Map.of("Content-Type", List.of(type)), body);
    }

    /** @param headers lines by name */
    public Answer call(String method, String path, Map<String, List<String>> headers, InputStream body) {
        ContainerRequest request = new ContainerRequest(
                URI.create("http://localhost/srv6/"),
                URI.create("http://localhost/srv6/" + path),
                method,
                security(),
                new MapPropertiesDelegate());
        headers.forEach((name, lines) -> lines.forEach(line -> request.header(name, line)));
        request.setEntityStream(body);
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        try {
            ContainerResponse response = application.apply(request, out).get(30, TimeUnit.SECONDS);
            JsonNode json = out.size() == 0 ? NullNode.getInstance() : new ObjectMapper().readTree(out.toByteArray());
            return new Answer(
                    response.getStatus(),
                    String.valueOf(response.getMediaType()),
                    response.getHeaderString("Location"),
                    response.getHeaderString("Link"),
                    response.getHeaderString("Retry-After"),
                    response.getHeaderString("ETag"),
                    response.getHeaderString("Allow"),
                    out.size(),
                    json);
        } catch (Exception e) {
            throw new AssertionError(e);
        }
    }

    private SecurityContext security() {
        return new SecurityContext() {
            @Override
            public Principal getUserPrincipal() {
                return () -> role;
            }

            @Override
            public boolean isUserInRole(String wanted) {
                return wanted.equals(role);
            }

            @Override
            public boolean isSecure() {
                return false;
            }

            @Override
            public String getAuthenticationScheme() {
                return BASIC_AUTH;
            }
        };
    }
}
