// SPDX-License-Identifier: Apache-2.0
package org.sextant.northbound.rest;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.IOException;
import java.io.InputStream;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.reflect.Method;
import java.util.List;
import java.util.stream.Stream;
import javax.annotation.security.RolesAllowed;
import javax.ws.rs.DefaultValue;
import javax.ws.rs.PathParam;
import javax.ws.rs.QueryParam;
import javax.ws.rs.core.Context;
import javax.ws.rs.core.MediaType;
import javax.ws.rs.core.Response;
import javax.ws.rs.core.UriInfo;
import org.glassfish.jersey.server.model.Resource;
import org.glassfish.jersey.server.model.ResourceMethod;
import org.sextant.core.Problem;
import org.sextant.core.ProblemException;
import org.sextant.core.intent.IntentStatus;
import org.sextant.kit.Settling;
import org.sextant.kit.app.Filter;
import org.sextant.kit.app.SrApp;
import org.sextant.northbound.answer.JsonAnswer;
import org.sextant.northbound.answer.Page;
import org.sextant.northbound.app.AppView;
import org.sextant.northbound.app.ListReceipt;
import org.sextant.northbound.app.Posted;
import org.sextant.northbound.app.Query;
import org.sextant.northbound.app.Receipt;
import org.sextant.northbound.app.Removal;
import org.sextant.northbound.app.Tried;

/**
 * The intents of an app, whichever it is. A POST waits a while for the nodes, so that its answer can say what became of the
 * intent. What an app serves beside this has a resource class of its own, with a path that begins with the app's.
 */
@RolesAllowed({"admin", "viewer"})
public final class AppResource<I> {
    private final SrApp<I> app;

    AppResource(SrApp<I> app) {
        this.app = app;
    }

    /** Marks a method whose address may also have the app's filters. */
    @Retention(RetentionPolicy.RUNTIME)
    @interface Filtered {}

    /** Where it is, relative to the application. */
    String path() {
        return app.words().path();
    }

    /** The names of the app's filters. */
    Stream<String> filters() {
        return app.filters().stream().map(Filter::name);
    }

    /** What Jersey is to serve. */
    Resource model() {
        Resource.Builder root = Resource.builder(path());
        add(root, "POST", "post").consumes(MediaType.APPLICATION_JSON);
        add(root, "GET", "list");
        add(root, "DELETE", "deleteSome");
        Resource.Builder one = root.addChildResource("{id}");
        add(one, "GET", "get");
        add(one, "DELETE", "delete");
        add(root.addChildResource("{id}/plan"), "GET", "plan");
        return root.build();
    }

    private ResourceMethod.Builder add(Resource.Builder resource, String httpMethod, String name) {
        Method method = Stream.of(AppResource.class.getMethods())
                .filter(one -> one.getName().equals(name))
                .findFirst()
                .orElseThrow();
        return resource.addMethod(httpMethod)
                .produces(MediaType.APPLICATION_JSON)
                .handledBy(this, method);
    }

    @RolesAllowed("admin")
    public Response post(
            InputStream body, @QueryParam("dryRun") @DefaultValue("false") boolean dryRun, @Context UriInfo uri)
            throws IOException {
        Posted<I> posted = Posted.read(app, body);
        if (posted.single().isEmpty()) {
            return dryRun
                    ? Response.ok(new JsonAnswer(json -> Tried.write(app, posted, json)))
                            .build()
                    : post(posted);
        }
        I intent = posted.single().get();
        if (dryRun) {
            return Response.ok(Tried.plan(app, intent)).build();
        }
        Receipt receipt = Receipt.submit(app, intent);
        return Response.status(receipt.code())
                .location(uri.getAbsolutePathBuilder().path(receipt.id()).build())
                .entity(receipt.view())
                .build();
    }

    private Response post(Posted<I> list) throws IOException {
        ListReceipt<I> receipt = ListReceipt.submit(app, list);
        return Response.status(receipt.code())
                .entity(new JsonAnswer(receipt::write))
                .build();
    }

    @Filtered
    public Response list(@QueryParam("limit") String limit, @QueryParam("after") String after, @Context UriInfo uri) {
        Page page = Page.parse(limit, after);
        Page.Part<IntentStatus<I>> part = page.of(query(uri).all(app), IntentStatus::id);
        return page.link(
                        Response.ok(JsonAnswer.list(part.elements(), status -> AppView.of(app, status))),
                        uri,
                        part.next())
                .build();
    }

    private Query<I> query(UriInfo uri) {
        return Query.parse(app, uri.getQueryParameters()::getFirst);
    }

    public JsonNode get(@PathParam("id") String id) {
        return AppView.looked(app, id);
    }

    public JsonNode plan(@PathParam("id") String id) {
        return app.plan(id);
    }

    @RolesAllowed("admin")
    public Response delete(@PathParam("id") String id) {
        app.stored(id);
        Settling.await(app.intents().remove(List.of(id)), Receipt.PATIENCE);
        return app.leaving(id)
                .map(left -> Response.status(202).entity(AppView.of(app, left)))
                .orElseGet(Response::noContent)
                .build();
    }

    @Filtered
    @RolesAllowed("admin")
    public Response deleteSome(
            @QueryParam("ids") String ids,
            @QueryParam("all") @DefaultValue("false") boolean all,
            @Context UriInfo uri) {
        Query<I> query = query(uri);
        if (ids != null) {
            if (all || !query.isEmpty()) {
                throw new ProblemException(new Problem(
                        Problem.Code.INVALID,
                        "/ids",
                        "ids says already which " + app.words().many() + " are meant",
                        "give nothing beside it"));
            }
            return answer(Removal.of(app, List.of(ids.split(","))));
        }
        return all
                ? answer(Removal.matching(app, query))
                : delete(query.only(app).id());
    }

    private static Response answer(Removal removal) {
        return Response.status(removal.leaving().isEmpty() ? 200 : 202)
                .entity(removal.view())
                .build();
    }
}
