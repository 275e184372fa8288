// SPDX-License-Identifier: Apache-2.0
package org.sextant.sera.app;

import io.swagger.v3.oas.annotations.Operation;
import io.swagger.v3.oas.annotations.Parameter;
import io.swagger.v3.oas.annotations.media.Content;
import io.swagger.v3.oas.annotations.media.ExampleObject;
import io.swagger.v3.oas.annotations.media.Schema;
import io.swagger.v3.oas.annotations.parameters.RequestBody;
import io.swagger.v3.oas.annotations.responses.ApiResponse;
import java.io.IOException;
import java.io.InputStream;
import javax.ws.rs.Consumes;
import javax.ws.rs.DefaultValue;
import javax.ws.rs.POST;
import javax.ws.rs.Path;
import javax.ws.rs.Produces;
import javax.ws.rs.QueryParam;
import javax.ws.rs.core.MediaType;
import javax.ws.rs.core.Response;
import org.osgi.service.component.annotations.Component;
import org.osgi.service.component.annotations.Reference;
import org.sextant.core.rest.RestResource;

/** Converts the output of ip6tables-save, iptables-save or nft to a firewall. */
@Component(service = RestResource.class)
@Path("firewalls/import")
@Produces(MediaType.APPLICATION_JSON)
public class FirewallImport implements RestResource {
    @Reference
    protected FirewallApp firewalls;

    @POST
    @Consumes({MediaType.TEXT_PLAIN, MediaType.APPLICATION_OCTET_STREAM, MediaType.APPLICATION_FORM_URLENCODED})
    @Operation(
            operationId = "importFirewall",
            summary = "Makes a firewall of what ip6tables-save, iptables-save or nft print",
            description =
                    "A base chain and those that it leads to become one list of rules. Where a line has no counterpart nothing"
                            + " is stored, and each such line is reported with its number; partial=true leaves them out."
                            + " With dryRun the answer is the firewall, what is refused and why, and the plan.",
            tags = "firewalls",
            requestBody =
                    @RequestBody(
                            required = true,
                            description = "the text, 1 MiB at most",
                            content =
                                    @Content(
                                            mediaType = MediaType.TEXT_PLAIN,
                                            schema = @Schema(type = "string"),
                                            examples = @ExampleObject(name = "ip6tables-save", value = """
                                                                    *filter
                                                                    :FORWARD DROP [0:0]
                                                                    -A FORWARD -p tcp -m tcp --dport 80 -j ACCEPT
                                                                    COMMIT
                                                                    """))),
            responses = {
                @ApiResponse(
                        responseCode = "200",
                        description = "it was there already or was replaced; with dryRun: what it would be",
                        content = @Content(schema = @Schema(ref = "#/components/schemas/FirewallImported"))),
                @ApiResponse(
                        responseCode = "201",
                        description = "new and installed",
                        content = @Content(schema = @Schema(ref = "#/components/schemas/FirewallImported"))),
                @ApiResponse(
                        responseCode = "202",
                        description = "stored, but not (fully) installed",
                        content = @Content(schema = @Schema(ref = "#/components/schemas/FirewallImported"))),
                @ApiResponse(responseCode = "400", description = "it is no such text, or a parameter is not valid"),
                @ApiResponse(responseCode = "403", description = "the user may not write"),
                @ApiResponse(responseCode = "409", description = "another has changed it at the same moment"),
                @ApiResponse(responseCode = "422", description = "lines have no counterpart, or the node cannot do it")
            })
    public Response read(
            InputStream body,
            @Parameter(description = "ip6tables-save, iptables-save or nft") @QueryParam("format") String format,
            @Parameter(description = "the base chain; FORWARD if it is left out") @QueryParam("chain") String chain,
            @Parameter(description = "of the firewall; that of the chain if it is left out") @QueryParam("name")
                    String name,
            @Parameter(description = "on which it is to be") @QueryParam("node") String node,
            @Parameter(
                            description = "the addresses behind the interfaces that the text names:"
                                    + " eth0=2001:db8:1::/64,10.0.1.0/24,eth1=2001:db8:2::/64")
                    @QueryParam("interfaces")
                    String interfaces,
            @Parameter(description = "leave out lines that have no counterpart")
                    @QueryParam("partial")
                    @DefaultValue("false")
                    boolean partial,
            @Parameter(description = "only say what would happen") @QueryParam("dryRun") @DefaultValue("false")
                    boolean dryRun)
            throws IOException {
        FirewallImporter.Result result = new FirewallImporter(firewalls)
                .run(FirewallImporter.Request.of(format, chain, name, node, interfaces, dryRun, partial), body);
        return Response.status(result.code()).entity(result.view()).build();
    }
}
