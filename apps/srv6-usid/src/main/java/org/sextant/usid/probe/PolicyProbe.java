// SPDX-License-Identifier: Apache-2.0
package org.sextant.usid.probe;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.time.Duration;
import java.util.List;
import org.sextant.core.intent.IntentStatus;
import org.sextant.core.port.Pinger.Echoes;
import org.sextant.usid.Policy;

/** The result of probing a policy. */
public final class PolicyProbe {
    private static final double NANOS_PER_MICRO = 1000.0;

    private final IntentStatus<Policy> status;
    private final List<Try> tries;

    record Try(ProbeTarget target, Echoes echoes) {
        boolean silent() {
            return echoes.received() < echoes.sent();
        }
    }

    PolicyProbe(IntentStatus<Policy> status, List<Try> tries) {
        this.status = status;
        this.tries = List.copyOf(tries);
    }

    /** True if requests were sent and each was answered. */
    public boolean answered() {
        return tries.stream().anyMatch(one -> one.echoes().sent() > 0)
                && tries.stream().noneMatch(Try::silent);
    }

    /** The JSON in REST and the shell. */
    public ObjectNode view() {
        ObjectNode json = JsonNodeFactory.instance.objectNode();
        json.put("id", status.id());
        json.put("state", status.state().name());
        json.put("answered", answered());
        var list = json.putArray("tries");
        tries.forEach(one -> list.add(view(one)));
        return json;
    }

    private static ObjectNode view(Try one) {
        ObjectNode json = JsonNodeFactory.instance.objectNode();
        ProbeTarget target = one.target();
        Echoes echoes = one.echoes();
        json.put("headend", target.headend());
        json.put("prefix", target.prefix().toString());
        target.destination().ifPresent(destination -> {
            json.put("destination", destination.address().toString());
            destination.host().ifPresent(host -> json.put("host", host.name()));
        });
        target.source().ifPresent(source -> json.put("source", source.toString()));
        json.put("sent", echoes.sent());
        json.put("received", echoes.received());
        echoes.roundTrip()
                .ifPresent(times -> json.putObject("roundTripMicros")
                        .put("min", micros(times.shortest()))
                        .put("mean", micros(times.mean()))
                        .put("max", micros(times.longest())));
        echoes.failure().ifPresent(why -> json.put("failure", why));
        return json;
    }

    private static long micros(Duration time) {
        return Math.round(time.toNanos() / NANOS_PER_MICRO);
    }
}
