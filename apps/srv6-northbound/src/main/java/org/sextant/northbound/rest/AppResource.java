// SPDX-License-Identifier: Apache-2.0
package org.sextant.northbound.rest;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.IOException;
import java.io.InputStream;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.reflect.Method;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import javax.ws.rs.DefaultValue;
import javax.ws.rs.PathParam;
import javax.ws.rs.QueryParam;
import javax.ws.rs.core.Context;
import javax.ws.rs.core.HttpHeaders;
import javax.ws.rs.core.MediaType;
import javax.ws.rs.core.Response;
import javax.ws.rs.core.UriInfo;
import org.glassfish.jersey.server.model.Resource;
import org.glassfish.jersey.server.model.ResourceMethod;
import org.sextant.core.Problem;
import org.sextant.core.ProblemException;
import org.sextant.core.access.Role;
import org.sextant.core.intent.IntentStatus;
import org.sextant.core.intent.Precondition;
import org.sextant.kit.InstallWait;
import org.sextant.kit.app.Filter;
import org.sextant.kit.app.ScopedApp;
import org.sextant.kit.app.SrApp;
import org.sextant.northbound.answer.JsonAnswer;
import org.sextant.northbound.answer.Page;
import org.sextant.northbound.app.AppView;
import org.sextant.northbound.app.DryRuns;
import org.sextant.northbound.app.ListReceipt;
import org.sextant.northbound.app.MergePatch;
import org.sextant.northbound.app.PostBody;
import org.sextant.northbound.app.Query;
import org.sextant.northbound.app.Receipt;
import org.sextant.northbound.app.Removal;
import org.sextant.northbound.app.StatusFilter;

/**
 * The intents of an app, whichever it is. A POST waits a while for the nodes, so that its answer can contain the
 * result. Other parts of an app's interface have a resource class of their own, with a path that begins with the app's.
 */
public final class AppResource<I> {
    /** RFC 7396. */
    private static final String MERGE_PATCH = "application/merge-patch+json";

    private final SrApp<I> app;

    AppResource(SrApp<I> app) {
        this.app = app;
    }

    /** Marks a method whose address may also have the app's filters. */
    @Retention(RetentionPolicy.RUNTIME)
    @interface Filtered {}

    /** Where it is, relative to the application. */
    String path() {
        return app.words().address();
    }

    /** The role that may change the app's intents. */
    Role changedBy() {
        return app.changedBy();
    }

    /** The app; where others are above it, the part that belongs to the one which the address names. */
    private SrApp<I> app(UriInfo uri) {
        return app.words()
                .within()
                .map(above -> ScopedApp.of(app, uri.getPathParameters().getFirst(above.one())))
                .orElse(app);
    }

    /** The names of the app's filters. */
    Stream<String> filters() {
        return app.filters().stream().map(Filter::name);
    }

    /** The resource for Jersey. */
    Resource model() {
        Resource.Builder root = Resource.builder(path());
        add(root, "POST", "post").consumes(MediaType.APPLICATION_JSON);
        add(root, "GET", "list");
        add(root, "DELETE", "deleteSome");
        Resource.Builder one = root.addChildResource("{id}");
        add(one, "GET", "get");
        add(one, "DELETE", "delete");
        if (app.replaces()) {
            add(one, "PUT", "replace").consumes(MediaType.APPLICATION_JSON);
        }
        if (app.changes()) {
            add(one, "PATCH", "change").consumes(MediaType.APPLICATION_JSON, MERGE_PATCH);
        }
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

    public Response post(
            InputStream body,
            @QueryParam("dryRun") @DefaultValue("false") boolean dryRun,
            @Context UriInfo uri,
            @Context HttpHeaders headers)
            throws IOException {
        SrApp<I> here = app(uri);
        PostBody<I> posted = PostBody.read(here, body);
        if (posted.single().isEmpty()) {
            Conditions.none(headers, app.words().many());
            return dryRun
                    ? Response.ok(new JsonAnswer(json -> DryRuns.write(here, posted, json)))
                            .build()
                    : post(here, posted);
        }
        I intent = posted.single().get();
        Precondition only = Conditions.of(headers);
        return Conditions.judged(here, here.intents().name(intent), () -> {
            if (dryRun) {
                return Response.ok(DryRuns.plan(here, intent, only)).build();
            }
            Receipt receipt = Receipt.submit(here, intent, only);
            return Conditions.tagged(Response.status(receipt.code()), receipt.view())
                    .location(uri.getAbsolutePathBuilder().path(receipt.id()).build())
                    .build();
        });
    }

    private static <I> Response post(SrApp<I> here, PostBody<I> list) throws IOException {
        ListReceipt<I> receipt = ListReceipt.submit(here, list);
        return Response.status(receipt.code())
                .entity(new JsonAnswer(receipt::write))
                .build();
    }

    @Filtered
    public Response list(
            @QueryParam("state") String state,
            @QueryParam("node") String node,
            @QueryParam("q") String text,
            @QueryParam("label") String label,
            @QueryParam("limit") String limit,
            @QueryParam("after") String after,
            @QueryParam("cursor") String cursor,
            @Context UriInfo uri) {
        SrApp<I> here = app(uri);
        Page page = Page.parse(limit, after, cursor, uri);
        StatusFilter filter = StatusFilter.parse(app, state, node, text, label);
        Page.Part<IntentStatus<I>> part = page.of(filter.of(here, query(uri).all(here)), IntentStatus::id);
        return page.link(
                        Response.ok(JsonAnswer.list(part.elements(), status -> AppView.of(here, status))),
                        uri,
                        part.next())
                .build();
    }

    private Query<I> query(UriInfo uri) {
        return Query.parse(app, uri.getQueryParameters()::getFirst);
    }

    /** The tag that it sets is of the intent alone; {@link EntityTags} adds the state. */
    public Response get(@PathParam("id") String id, @Context UriInfo uri) {
        return Conditions.tagged(Response.ok(), AppView.looked(app(uri), id)).build();
    }

    public JsonNode plan(@PathParam("id") String id, @Context UriInfo uri) {
        return app(uri).plan(id);
    }

    public Response change(
            InputStream body,
            @PathParam("id") String id,
            @QueryParam("dryRun") @DefaultValue("false") boolean dryRun,
            @Context UriInfo uri,
            @Context HttpHeaders headers)
            throws IOException {
        SrApp<I> here = app(uri);
        Precondition only = Conditions.of(headers);
        MergePatch patch = MergePatch.read(app.mostBytes(), body);
        return Conditions.judged(here, Optional.of(id), () -> {
            if (dryRun) {
                return Response.ok(DryRuns.plan(here, id, patch, only)).build();
            }
            Receipt receipt = Receipt.change(here, id, patch, only);
            return Conditions.tagged(Response.status(receipt.code()), receipt.view())
                    .build();
        });
    }

    public Response replace(
            InputStream body,
            @PathParam("id") String id,
            @QueryParam("dryRun") @DefaultValue("false") boolean dryRun,
            @Context UriInfo uri,
            @Context HttpHeaders headers)
            throws IOException {
        SrApp<I> here = app(uri);
        Precondition only = Conditions.of(headers);
        I intent = PostBody.one(here, body);
        return Conditions.judged(here, Optional.of(id), () -> {
            if (dryRun) {
                return Response.ok(DryRuns.plan(here, id, intent, only)).build();
            }
            // Without the header: the stored text need not be the one that was sent, letter by letter (RFC 9110,
            // 9.3.4).
            Receipt receipt = Receipt.replace(here, id, intent, only);
            return Response.status(receipt.code()).entity(receipt.view()).build();
        });
    }

    public Response delete(@PathParam("id") String id, @Context UriInfo uri, @Context HttpHeaders headers) {
        return delete(app(uri), id, Conditions.of(headers));
    }

    private static <I> Response delete(SrApp<I> here, String id, Precondition only) {
        here.stored(id);
        return Conditions.judged(here, Optional.of(id), () -> {
            InstallWait.await(here.intents().remove(List.of(id), only), Receipt.PATIENCE);
            return here.leaving(id)
                    .map(left -> Response.status(202).entity(AppView.of(here, left)))
                    .orElseGet(Response::noContent)
                    .build();
        });
    }

    @Filtered
    public Response deleteSome(
            @QueryParam("ids") String ids,
            @QueryParam("all") @DefaultValue("false") boolean all,
            @Context UriInfo uri,
            @Context HttpHeaders headers) {
        SrApp<I> here = app(uri);
        Query<I> query = query(uri);
        if (ids != null || all) {
            Conditions.none(headers, app.words().many());
        }
        if (ids != null) {
            if (all || !query.isEmpty()) {
                throw new ProblemException(new Problem(
                        Problem.Code.INVALID,
                        "/ids",
                        "ids says already which " + app.words().many() + " are meant",
                        "give nothing beside it"));
            }
            return answer(Removal.of(here, List.of(ids.split(","))));
        }
        return all
                ? answer(Removal.matching(here, query))
                : delete(here, query.only(here).id(), Conditions.of(headers));
    }

    private static Response answer(Removal removal) {
        return Response.status(removal.leaving().isEmpty() ? 200 : 202)
                .entity(removal.view())
                .build();
    }
}
