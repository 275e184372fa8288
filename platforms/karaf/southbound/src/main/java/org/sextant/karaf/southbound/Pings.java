// SPDX-License-Identifier: Apache-2.0
package org.sextant.karaf.southbound;

import gnoi.system.SystemGrpc;
import gnoi.system.SystemOuterClass.PingRequest;
import gnoi.system.SystemOuterClass.PingResponse;
import io.grpc.ManagedChannel;
import io.grpc.Status;
import io.grpc.StatusRuntimeException;
import java.time.Duration;
import java.util.Iterator;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import org.sextant.core.port.Pinger.Echoes;
import org.sextant.core.port.Pinger.Ping;
import org.sextant.core.port.Pinger.RoundTrip;

/** Echo requests by gNOI's System.Ping. */
final class Pings {
    private static final Duration GRACE = Duration.ofSeconds(5);

    private Pings() {}

    static Echoes ping(ManagedChannel channel, Ping ping) {
        try {
            Iterator<PingResponse> responses = SystemGrpc.newBlockingStub(channel)
                    .withDeadlineAfter(ping.longest().plus(GRACE).toNanos(), TimeUnit.NANOSECONDS)
                    .ping(request(ping));
            while (responses.hasNext()) {
                PingResponse response = responses.next();
                if (response.getSent() > 0) {
                    return summary(response);
                }
            }
            return Echoes.failed("the node ended without a summary");
        } catch (StatusRuntimeException e) {
            return Echoes.failed(reason(e.getStatus()));
        }
    }

    private static PingRequest request(Ping ping) {
        return PingRequest.newBuilder()
                .setDestination(ping.destination().toString())
                .setSource(ping.source().toString())
                .setCount(ping.count())
                .setInterval(ping.interval().toNanos())
                .setWait(ping.patience().toNanos())
                .build();
    }

    private static Echoes summary(PingResponse said) {
        Optional<RoundTrip> roundTrip = said.getReceived() == 0
                ? Optional.empty()
                : Optional.of(new RoundTrip(
                        Duration.ofNanos(said.getMinTime()),
                        Duration.ofNanos(said.getAvgTime()),
                        Duration.ofNanos(said.getMaxTime())));
        return new Echoes(said.getSent(), said.getReceived(), roundTrip, Optional.empty());
    }

    private static String reason(Status status) {
        return status.getCode() == Status.Code.UNIMPLEMENTED
                ? "its data plane cannot send echo requests of its own"
                : P4Errors.describe(status);
    }
}
