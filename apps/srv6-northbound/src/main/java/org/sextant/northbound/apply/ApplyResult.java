// SPDX-License-Identifier: Apache-2.0
package org.sextant.northbound.apply;

import com.fasterxml.jackson.core.JsonGenerator;
import java.io.IOException;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import org.sextant.core.intent.IntentState;
import org.sextant.northbound.apply.Comparison.Action;
import org.sextant.northbound.apply.Comparison.DocumentResult;

/** The effects of a list of documents, in their order: counts, and for each document the fields that it changed. */
public final class ApplyResult {
    private final boolean dryRun;
    private final List<DocumentResult<?>> items;

    ApplyResult(boolean dryRun, List<DocumentResult<?>> items) {
        this.dryRun = dryRun;
        this.items = List.copyOf(items);
    }

    /** 202 if a document changed and is not installed by now, else 200. */
    public int code() {
        return items.stream()
                        .anyMatch(item -> item.changed()
                                && item.state()
                                        .filter(state -> state != IntentState.INSTALLED)
                                        .isPresent())
                ? 202
                : 200;
    }

    /** Piece by piece: the differences of long lists never stand in memory as a whole. */
    public void write(JsonGenerator json) throws IOException {
        json.writeStartObject();
        json.writeBooleanField("dryRun", dryRun);
        for (Action action : Action.values()) {
            json.writeNumberField(
                    word(action),
                    items.stream().filter(item -> item.action() == action).count());
        }
        json.writeArrayFieldStart("items");
        for (DocumentResult<?> item : items) {
            write(json, item);
        }
        json.writeEndArray();
        json.writeEndObject();
    }

    private static String word(Enum<?> value) {
        return value.name().toLowerCase(Locale.ROOT);
    }

    private static void write(JsonGenerator json, DocumentResult<?> item) throws IOException {
        Document<?> document = item.document();
        json.writeStartObject();
        json.writeStringField(DocumentKind.KIND, document.kind().word());
        Optional<String> above = document.kind().above();
        if (above.isPresent()) {
            json.writeStringField(above.get(), document.above().orElseThrow());
        }
        json.writeStringField(DocumentKind.NAME, document.name());
        json.writeStringField("action", word(item.action()));
        if (item.state().isPresent()) {
            json.writeStringField("state", item.state().get().name());
        }
        json.writeArrayFieldStart("changes");
        for (Difference difference : item.differences()) {
            difference.write(json);
        }
        json.writeEndArray();
        json.writeArrayFieldStart("warnings");
        for (String warning : item.warnings()) {
            json.writeString(warning);
        }
        json.writeEndArray();
        json.writeEndObject();
    }
}
