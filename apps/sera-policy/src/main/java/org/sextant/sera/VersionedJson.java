// SPDX-License-Identifier: Apache-2.0
package org.sextant.sera;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.sextant.core.json.Fields;

/** The form in the store: the document with its version, and earlier versions. */
public final class VersionedJson {
    private static final String VERSION = "version";
    private static final String AT = "at";
    private static final String EARLIER = "earlier";

    private VersionedJson() {}

    public static ObjectNode encode(Versioned versioned) {
        ObjectNode json = FirewallJson.encode(versioned.firewall());
        json.put(VERSION, versioned.version()).put(AT, versioned.at());
        ArrayNode earlier = json.putArray(EARLIER);
        versioned
                .earlier()
                .forEach(one -> earlier.addObject()
                        .put(VERSION, one.version())
                        .put(AT, one.at())
                        .set("firewall", FirewallJson.encode(one.firewall())));
        return json;
    }

    /** @throws org.sextant.core.ProblemException if the document is invalid */
    public static Versioned decode(JsonNode json) {
        List<String> own = List.of(VERSION, AT, EARLIER);
        ObjectNode document = json.isObject() ? ((ObjectNode) json).deepCopy() : ((ObjectNode) json);
        JsonNode past = document.path(EARLIER);
        document.remove(own);
        Fields fields = new Fields(json, "", new ArrayList<>());
        int version = (int) fields.integer(VERSION, 1, Versioned.LAST, 1);
        Optional<String> at = fields.text(AT);
        List<Versioned.Earlier> earlier = new ArrayList<>();
        past.forEach(one -> earlier.add(new Versioned.Earlier(
                one.path(VERSION).asInt(1), one.path(AT).asText(""), FirewallJson.decode(one.path("firewall")))));
        return new Versioned(FirewallJson.decode(document), version, at.orElse(""), earlier);
    }
}
