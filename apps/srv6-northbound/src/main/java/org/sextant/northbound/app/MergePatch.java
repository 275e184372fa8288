// SPDX-License-Identifier: Apache-2.0
package org.sextant.northbound.app;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.IOException;
import java.io.InputStream;
import org.sextant.core.Problem;
import org.sextant.core.ProblemException;

/** JSON Merge Patch (RFC 7396): a document in the form of the one that it changes; null takes a field out. */
public record MergePatch(ObjectNode patch) {

    /** @throws ProblemException if the body is not JSON of the right size and depth, or not an object */
    public static MergePatch read(int mostBytes, InputStream body) throws IOException {
        if (PostBody.json(mostBytes).read(body) instanceof ObjectNode patch) {
            return new MergePatch(patch);
        }
        throw new ProblemException(new Problem(
                Problem.Code.INVALID,
                "",
                "a merge patch is a JSON object",
                "give the fields that are to be others, as {\"field\": value}"));
    }

    /** The document as it becomes. */
    public ObjectNode applied(ObjectNode document) {
        return merged(document, patch);
    }

    private static ObjectNode merged(JsonNode target, ObjectNode patch) {
        ObjectNode result =
                target instanceof ObjectNode object ? object.deepCopy() : JsonNodeFactory.instance.objectNode();
        patch.fields().forEachRemaining(field -> {
            JsonNode value = field.getValue();
            if (value.isNull()) {
                result.remove(field.getKey());
            } else if (value instanceof ObjectNode inner) {
                result.set(field.getKey(), merged(result.path(field.getKey()), inner));
            } else {
                result.set(field.getKey(), value);
            }
        });
        return result;
    }
}
