// SPDX-License-Identifier: Apache-2.0
package org.sextant.northbound.rest;

import io.prometheus.metrics.expositionformats.ExpositionFormatWriter;
import io.prometheus.metrics.expositionformats.ExpositionFormats;
import io.swagger.v3.oas.annotations.Operation;
import io.swagger.v3.oas.annotations.Parameter;
import io.swagger.v3.oas.annotations.media.Content;
import io.swagger.v3.oas.annotations.media.Schema;
import io.swagger.v3.oas.annotations.responses.ApiResponse;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import javax.ws.rs.GET;
import javax.ws.rs.HeaderParam;
import javax.ws.rs.Path;
import javax.ws.rs.core.HttpHeaders;
import javax.ws.rs.core.Response;
import org.osgi.service.component.annotations.Component;
import org.osgi.service.component.annotations.Reference;
import org.sextant.core.rest.RestResource;
import org.sextant.northbound.metrics.MetricsCollector;

/**
 * Metrics for Prometheus. The format follows the request's Accept header: OpenMetrics 1.0 if it names that, else Prometheus' text; any
 * other header gets text, too, as Prometheus' clients answer it.
 */
@Component(service = RestResource.class)
@Path("metrics")
public class MetricsResource implements RestResource {
    @Reference
    protected MetricsCollector collector;

    private final ExpositionFormats formats = ExpositionFormats.init();

    @GET
    @Operation(
            operationId = "getMetrics",
            summary = "Metrics in the text format of OpenMetrics or Prometheus",
            description = "docs/reference/metrics.md lists them. A scrape asks neither nodes nor the engine's thread.",
            tags = "controller",
            responses =
                    @ApiResponse(
                            responseCode = "200",
                            description = "the metrics",
                            content = {
                                @Content(mediaType = "application/openmetrics-text", schema = @Schema(type = "string")),
                                @Content(mediaType = "text/plain", schema = @Schema(type = "string"))
                            }))
    public Response get(@Parameter(hidden = true) @HeaderParam(HttpHeaders.ACCEPT) String accept) throws IOException {
        ExpositionFormatWriter writer = formats.findWriter(accept);
        ByteArrayOutputStream text = new ByteArrayOutputStream();
        writer.write(text, collector.collect());
        return Response.ok(text.toByteArray(), writer.getContentType())
                .header(HttpHeaders.CACHE_CONTROL, "no-store")
                .header(HttpHeaders.VARY, HttpHeaders.ACCEPT)
                .build();
    }
}
