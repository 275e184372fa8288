// SPDX-License-Identifier: Apache-2.0
package org.sextant.northbound.rest;

import io.swagger.v3.oas.annotations.Operation;
import io.swagger.v3.oas.annotations.media.Content;
import io.swagger.v3.oas.annotations.media.Schema;
import io.swagger.v3.oas.annotations.responses.ApiResponse;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import javax.annotation.security.RolesAllowed;
import javax.ws.rs.POST;
import javax.ws.rs.Path;
import javax.ws.rs.ServerErrorException;
import javax.ws.rs.ServiceUnavailableException;
import javax.ws.rs.core.HttpHeaders;
import javax.ws.rs.core.Response;
import org.jspecify.annotations.Nullable;
import org.osgi.service.component.annotations.Component;
import org.osgi.service.component.annotations.Reference;
import org.osgi.service.component.annotations.ReferenceCardinality;
import org.osgi.service.component.annotations.ReferencePolicyOption;
import org.sextant.core.port.Backups;
import org.sextant.core.port.Backups.Backup;
import org.sextant.core.rest.RestResource;
import org.sextant.northbound.access.TokenMaps;

/**
 * Backups of the store, where the host keeps it in a file of its own. The file goes to the client; no path comes from it. There is one
 * media type whatever a request accepts (RFC 9110, 12.4.1), so that a client without the role is refused for that.
 */
@Component(service = RestResource.class)
@Path("store")
public class StoreResource implements RestResource {
    static final String MEDIA_TYPE = "application/vnd.sqlite3";
    private static final long PATIENCE_SECONDS = 30;
    private static final long RETRY_SECONDS = 10;

    /** Copies are made one after the other: each needs as much room as the store. */
    private final Semaphore copying = new Semaphore(1, true);

    @Reference(cardinality = ReferenceCardinality.OPTIONAL, policyOption = ReferencePolicyOption.GREEDY)
    protected @Nullable Backups backups;

    @POST
    @Path("backups")
    @RolesAllowed("admin")
    @Operation(
            operationId = "backUp",
            summary = "A copy of the store at one moment, without users, tokens and keys",
            description =
                    "A SQLite database: intents, the network description, and what is known of orphaned entries. It holds"
                            + " addresses of users and subscribers: keep it as the store itself. ./sextant backup fetches and"
                            + " checks it, ./sextant restore takes it; docs/reference/backup.md.",
            tags = "controller",
            responses = {
                @ApiResponse(
                        responseCode = "200",
                        description = "the file; Content-Length is its size",
                        content =
                                @Content(mediaType = MEDIA_TYPE, schema = @Schema(type = "string", format = "binary"))),
                @ApiResponse(responseCode = "403", description = "the user is not admin"),
                @ApiResponse(
                        responseCode = "501",
                        description = "the platform keeps the store, and backs it up itself"),
                @ApiResponse(
                        responseCode = "503",
                        description = "no room for the copy, the store cannot be read, or other backups are being made")
            })
    public Response backUp() throws InterruptedException {
        Backups here = backups;
        if (here == null) {
            throw new ServerErrorException(
                    "this controller keeps its store in ONOS: back up the storage nodes of the ONOS cluster by their own means",
                    Response.Status.NOT_IMPLEMENTED);
        }
        if (!copying.tryAcquire(PATIENCE_SECONDS, TimeUnit.SECONDS)) {
            throw new ServiceUnavailableException("other backups are being made; come back in a moment", RETRY_SECONDS);
        }
        try {
            Backup backup = here.take(TokenMaps.names());
            return Response.ok(backup.content(), MEDIA_TYPE)
                    .header(HttpHeaders.CONTENT_LENGTH, backup.bytes())
                    .header(HttpHeaders.CONTENT_DISPOSITION, "attachment; filename=\"sextant.db\"")
                    .header(HttpHeaders.CACHE_CONTROL, "no-store")
                    .build();
        } finally {
            copying.release();
        }
    }
}
