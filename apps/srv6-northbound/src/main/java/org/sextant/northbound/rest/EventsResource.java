// SPDX-License-Identifier: Apache-2.0
package org.sextant.northbound.rest;

import io.swagger.v3.oas.annotations.Operation;
import io.swagger.v3.oas.annotations.media.Content;
import io.swagger.v3.oas.annotations.media.Schema;
import io.swagger.v3.oas.annotations.responses.ApiResponse;
import java.io.IOException;
import java.time.Duration;
import javax.ws.rs.GET;
import javax.ws.rs.Path;
import javax.ws.rs.Produces;
import javax.ws.rs.ServiceUnavailableException;
import org.glassfish.jersey.server.ChunkedOutput;
import org.osgi.service.component.annotations.Component;
import org.osgi.service.component.annotations.Reference;
import org.sextant.core.rest.RestResource;
import org.sextant.northbound.events.EventHub;

/** The controller's news as server-sent events. Plain chunks: both hosts stream them, one lacks a module for more. */
@Component(service = RestResource.class)
@Path("events")
public class EventsResource implements RestResource {
    static final String MEDIA_TYPE = "text/event-stream";
    private static final long RETRY_SECONDS = 5;
    /** A listener authenticates again by then. */
    private static final long LONGEST_NANOS = Duration.ofHours(1).toNanos();

    @Reference
    protected EventHub hub;

    @GET
    @Produces(MEDIA_TYPE)
    @Operation(
            operationId = "listen",
            summary = "News as they happen: network, status, intents, reports, entries, traffic, log, cluster",
            description =
                    "Server-sent events. network: look at the topology again (always the first one). status: nodes, links and"
                            + " ports that changed. intents: intents whose state changed, or that are gone. reports: what"
                            + " apps say of theirs beyond the state. entries: nodes whose tables were written. traffic: what"
                            + " ports carry, every two seconds. log: there is more at /log. cluster: look at /cluster again. The data of each is the field of that name of the schema"
                            + " News. Apps send events of their own, which their documents describe: clients ignore those"
                            + " that they do not know.",
            tags = "network",
            responses = {
                @ApiResponse(
                        responseCode = "200",
                        description = "a stream that ends after an hour; clients connect again",
                        content =
                                @Content(mediaType = MEDIA_TYPE, schema = @Schema(ref = "#/components/schemas/News"))),
                @ApiResponse(responseCode = "503", description = "too many clients listen already")
            })
    public ChunkedOutput<String> listen() {
        ChunkedOutput<String> output = new ChunkedOutput<>(String.class);
        if (!hub.serve(new Listener(output, System.nanoTime()))) {
            throw new ServiceUnavailableException(RETRY_SECONDS);
        }
        return output;
    }

    private record Listener(ChunkedOutput<String> output, long began) implements EventHub.Client {
        @Override
        public void send(String text) throws IOException {
            if (output.isClosed() || System.nanoTime() - began > LONGEST_NANOS) {
                throw new IOException("closed");
            }
            output.write(text);
        }

        @Override
        public void close() {
            try {
                output.close();
            } catch (IOException gone) {
                return; // as wanted
            }
        }
    }
}
