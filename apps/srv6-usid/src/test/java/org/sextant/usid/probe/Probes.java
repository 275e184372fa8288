// SPDX-License-Identifier: Apache-2.0
package org.sextant.usid.probe;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import org.sextant.core.port.Pinger;
import org.sextant.core.rest.RestResource;
import org.sextant.northbound.cli.ShellCommand;
import org.sextant.usid.app.Controller;

/** Probes of a {@link Controller}'s policies, with nodes that answer pings as the test sets them. */
public final class Probes implements Pinger {
    /** Node, source and destination of each ping. */
    public final List<String> pinged = Collections.synchronizedList(new ArrayList<>());

    public volatile String silent = "";
    public volatile String unable = "";

    public static RestResource resource(Controller controller, Pinger pinger) {
        ProbeResource resource = new ProbeResource();
        resource.probes = of(controller, pinger);
        return resource;
    }

    public static ShellCommand command(Controller controller, Pinger pinger) {
        return new PolicyProbeCommand(controller.app, of(controller, pinger));
    }

    private static PolicyProbes of(Controller controller, Pinger pinger) {
        PolicyProbes probes = new PolicyProbes();
        probes.policies = controller.app;
        probes.pinger = pinger;
        return probes;
    }

    @Override
    public Echoes ping(String node, Ping ping) {
        pinged.add(node + " " + ping.source() + " " + ping.destination() + " " + ping.count());
        if (node.equals(unable)) {
            return Echoes.failed("its data plane cannot send echo requests of its own");
        }
        return node.equals(silent)
                ? new Echoes(ping.count(), 0, Optional.empty(), Optional.empty())
                : new Echoes(
                        ping.count(),
                        ping.count(),
                        Optional.of(
                                new RoundTrip(Duration.ofNanos(1_499), Duration.ofMillis(2), Duration.ofSeconds(3))),
                        Optional.empty());
    }
}
