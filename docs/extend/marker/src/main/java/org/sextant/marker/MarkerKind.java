// SPDX-License-Identifier: Apache-2.0
package org.sextant.marker;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.sextant.core.Problem;
import org.sextant.core.ProblemException;
import org.sextant.core.Reason;
import org.sextant.core.intent.CompileContext;
import org.sextant.core.intent.Dependence;
import org.sextant.core.intent.Explained;
import org.sextant.core.intent.IntentKind;
import org.sextant.core.intent.NumberedIntent;
import org.sextant.core.intent.Plan;
import org.sextant.core.ip.IpPrefix;
import org.sextant.core.json.Fields;
import org.sextant.core.table.Behavior;
import org.sextant.core.table.MySid;
import org.sextant.kit.Findings;

/** What the engine has to know of markers: their JSON, when two are the same, and what they compile to. */
final class MarkerKind implements IntentKind<Marker> {
    @Override
    public String name() {
        return "marker";
    }

    @Override
    public ObjectNode encode(Marker marker) {
        return JsonNodeFactory.instance
                .objectNode()
                .put("name", marker.name())
                .put("node", marker.node())
                .put("sid", marker.sid().toString());
    }

    @Override
    public Marker decode(JsonNode json) {
        List<Problem> problems = new ArrayList<>();
        Fields fields = new Fields(json, "", problems);
        for (String field : List.of("name", "node", "sid")) {
            fields.require(field, "give all of name, node and sid");
        }
        Optional<String> name = fields.text("name");
        Optional<String> node = fields.text("node");
        Optional<IpPrefix> sid = fields.parsed("sid", "write it as fcbb:bbbb:100:aaaa::/64", IpPrefix::parse);
        fields.finishOrThrow();
        try {
            return new Marker(name.orElseThrow(), node.orElseThrow(), sid.orElseThrow());
        } catch (IllegalArgumentException e) {
            throw new ProblemException(new Problem(Problem.Code.INVALID, "", Reason.of(e), "correct it"));
        }
    }

    @Override
    public String identity(Marker marker) {
        return marker.name();
    }

    @Override
    public Optional<String> suggestedId(Marker marker) {
        return Optional.of(marker.name());
    }

    @Override
    public Plan compile(NumberedIntent<Marker> marker, CompileContext context) {
        Marker wanted = marker.intent();
        Findings findings = new Findings();
        if (context.network().node(wanted.node()).isEmpty()) {
            findings.unknown("/node", "there is no node \"" + wanted.node() + "\"", "list the nodes");
        }
        List<Plan.Placed> entries = findings.clean()
                ? List.of(new Plan.Placed(wanted.node(), new MySid(wanted.sid(), new Behavior.End(false))))
                : List.of();
        return new Plan(
                entries,
                Explained.NOTHING,
                findings.problems(),
                findings.warnings(),
                Dependence.on(List.of(wanted.node())));
    }
}
