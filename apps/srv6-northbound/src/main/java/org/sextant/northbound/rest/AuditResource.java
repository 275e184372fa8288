// SPDX-License-Identifier: Apache-2.0
package org.sextant.northbound.rest;

import com.fasterxml.jackson.databind.JsonNode;
import io.swagger.v3.oas.annotations.Operation;
import io.swagger.v3.oas.annotations.media.Content;
import io.swagger.v3.oas.annotations.media.Schema;
import io.swagger.v3.oas.annotations.responses.ApiResponse;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import javax.ws.rs.POST;
import javax.ws.rs.Path;
import javax.ws.rs.Produces;
import javax.ws.rs.ServiceUnavailableException;
import javax.ws.rs.core.MediaType;
import org.osgi.service.component.annotations.Component;
import org.osgi.service.component.annotations.Reference;
import org.sextant.core.intent.Intents;
import org.sextant.core.rest.RestResource;
import org.sextant.northbound.view.AuditView;

/** Reads all nodes now and repairs what drifted, instead of waiting for the periodic audit. */
@Component(service = RestResource.class)
@Path("audit")
@Produces(MediaType.APPLICATION_JSON)
public class AuditResource implements RestResource {
    private static final long PATIENCE_SECONDS = 60;

    /** Who waits holds a thread of the server's. */
    private static final Semaphore ROOM = new Semaphore(8);

    @Reference
    protected Intents intents;

    @POST
    @Operation(
            operationId = "audit",
            summary = "Compare what the nodes hold with what is wanted, and repair",
            tags = "controller",
            responses = {
                @ApiResponse(
                        responseCode = "200",
                        description = "what had drifted",
                        content = @Content(schema = @Schema(ref = "#/components/schemas/Audit"))),
                @ApiResponse(
                        responseCode = "503",
                        description = "the nodes did not answer in time, or too many wait for that")
            })
    public JsonNode post() throws InterruptedException, ExecutionException {
        if (!ROOM.tryAcquire()) {
            throw new ServiceUnavailableException("others wait for the nodes already; come back in a moment", 10L);
        }
        try {
            return AuditView.of(intents.audit().get(PATIENCE_SECONDS, TimeUnit.SECONDS));
        } catch (TimeoutException e) {
            throw new ServiceUnavailableException(
                    "the audit takes longer than " + PATIENCE_SECONDS + " s; it goes on", 10L, e);
        } finally {
            ROOM.release();
        }
    }
}
