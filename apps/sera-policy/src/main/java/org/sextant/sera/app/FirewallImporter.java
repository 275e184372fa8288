// SPDX-License-Identifier: Apache-2.0
package org.sextant.sera.app;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.IOException;
import java.io.InputStream;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.sextant.core.Problem;
import org.sextant.core.ProblemException;
import org.sextant.northbound.app.DryRuns;
import org.sextant.northbound.app.Receipt;
import org.sextant.sera.FirewallShape;
import org.sextant.sera.Versioned;
import org.sextant.sera.imports.ImportResult;
import org.sextant.sera.imports.Importer;
import org.sextant.sera.imports.Importer.Format;
import org.sextant.sera.imports.Interfaces;
import org.sextant.sera.imports.TextEncoding;

/** Imports firewalls from other formats; stores one without some lines of the text only if {@code partial}. */
final class FirewallImporter {
    private final FirewallApp firewalls;

    FirewallImporter(FirewallApp firewalls) {
        this.firewalls = firewalls;
    }

    /**
     * The request of an import.
     *
     * @param name empty: that of the chain
     * @param interfaces those that the text names, and the addresses behind them
     * @param partial true if lines without a counterpart may be left out
     */
    record Request(
            Format format,
            String chain,
            String name,
            String node,
            Interfaces interfaces,
            boolean dryRun,
            boolean partial) {

        static Request of(
                @Nullable String format,
                @Nullable String chain,
                @Nullable String name,
                @Nullable String node,
                @Nullable String interfaces,
                boolean dryRun,
                boolean partial) {
            if (node == null || node.isEmpty()) {
                throw new ProblemException(
                        new Problem(Problem.Code.INVALID, "/node", "on which node is it to be?", "give node=NODE"));
            }
            String from = chain == null ? "FORWARD" : chain;
            String called = name == null ? from.substring(from.lastIndexOf('/') + 1) : name;
            return new Request(
                    Format.of(format),
                    from,
                    called,
                    node,
                    Interfaces.parse(interfaces == null ? "" : interfaces),
                    dryRun,
                    partial);
        }
    }

    /** The HTTP status and the response of an import. */
    record Result(int code, ObjectNode view) {}

    Result run(Request request, InputStream body) throws IOException {
        ImportResult imported = Importer.read(
                request.format(), text(body), request.chain(), request.name(), request.node(), request.interfaces());
        ObjectNode json = view(imported);
        // Decodes it like a posted firewall, with the same reports of problems.
        Versioned firewall = firewalls.decode(FirewallShape.FIREWALL.write(imported.firewall()));
        if (request.dryRun()) {
            json.set("plan", DryRuns.plan(firewalls, firewall));
            return new Result(200, json);
        }
        if (!imported.refused().isEmpty() && !request.partial()) {
            throw new ProblemException(
                    imported.refused().stream().map(FirewallImporter::problem).toList());
        }
        Receipt receipt = Receipt.submit(firewalls, firewall);
        json.set("receipt", receipt.view());
        return new Result(receipt.code(), json);
    }

    private static String text(InputStream body) throws IOException {
        byte[] bytes = body.readNBytes(Importer.MOST_BYTES + 1);
        if (bytes.length > Importer.MOST_BYTES) {
            throw new ProblemException(new Problem(
                    Problem.Code.INVALID,
                    "",
                    "the text has more than " + Importer.MOST_BYTES + " bytes",
                    "import one table, or fewer rules"));
        }
        return TextEncoding.decode(bytes);
    }

    private static Problem problem(ImportResult.Remark remark) {
        return new Problem(
                Problem.Code.UNFEASIBLE,
                "/lines/" + remark.line(),
                "line " + remark.line() + ": " + remark.why()
                        + (remark.text().isEmpty() ? "" : " (" + shown(remark) + ")"),
                "change the line, or import with partial=true, which leaves it out");
    }

    private static String shown(ImportResult.Remark remark) {
        return remark.text().length() > 200 ? remark.text().substring(0, 200) + "…" : remark.text();
    }

    private static ObjectNode view(ImportResult imported) {
        ObjectNode json = JsonNodeFactory.instance.objectNode();
        json.set("firewall", FirewallShape.FIREWALL.write(imported.firewall()));
        put(json.putArray("refused"), imported.refused());
        put(json.putArray("warnings"), imported.warnings());
        return json;
    }

    private static void put(ArrayNode array, List<ImportResult.Remark> remarks) {
        remarks.forEach(remark -> array.addObject()
                .put("line", remark.line())
                .put("text", shown(remark))
                .put("why", remark.why()));
    }

    /** The response as lines of text. */
    static String text(ObjectNode view) {
        StringBuilder text = new StringBuilder();
        view.get("refused")
                .forEach(one -> text.append("left out, line ")
                        .append(one.get("line"))
                        .append(": ")
                        .append(one.get("why").asText())
                        .append("\n    ")
                        .append(one.get("text").asText())
                        .append('\n'));
        view.get("warnings")
                .forEach(one -> text.append("line ")
                        .append(one.get("line"))
                        .append(": ")
                        .append(one.get("why").asText())
                        .append('\n'));
        if (view.has("plan")) {
            text.append(new FirewallText().plan(view.get("plan")));
        }
        if (view.has("receipt")) {
            text.append(view.at("/receipt/id").asText())
                    .append(' ')
                    .append(view.at("/receipt/state").asText())
                    .append('\n')
                    .append(new FirewallText().summary(view.get("receipt")));
        }
        return text.toString();
    }
}
