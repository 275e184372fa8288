// SPDX-License-Identifier: Apache-2.0
package org.sextant.usid.app;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.sextant.core.port.Capabilities;
import org.sextant.northbound.rest.Client;
import org.sextant.usid.Fig4;
import org.sextant.usid.probe.Probes;

/** The candidate path of the highest preference is active as soon as it is valid (RFC 9256, 2.9), for any reason. */
class BetterCandidateTest {
    private static final String POLICY = "{'name':'gold','headend':'l2','endpoint':'p6','steering':['2001:db8::/48'],"
            + "'candidatePaths':[{'preference':200,'hops':['p7','p6']},{'preference':100,'hops':['l3','v4','p6']}]}";

    private final Controller controller = new Controller();
    private final Client client = Client.of(controller.app, Probes.resource(controller, new Probes()));

    @AfterEach
    void close() {
        controller.close();
    }

    /** The underlay leads from p7 to p6 by v8, and p7 has no uA that would keep packets on the link between them. */
    @Test
    void a_lost_detour_makes_the_better_one_valid() {
        withoutUa("p7");
        controller.inventory.links("p7", "p6", link -> Fig4.metric(link, 25));
        controller.settle();
        client.post("policies", POLICY);
        assertThat(active()).isEqualTo(100);
        controller.inventory.link("v8", "p6", false);
        controller.settle();
        assertThat(active()).isEqualTo(200);
        controller.inventory.link("v8", "p6", true);
        controller.settle();
        assertThat(active()).isEqualTo(100);
    }

    private void withoutUa(String node) {
        controller.dataPlane.disconnect(node, "another pipeline");
        controller.dataPlane.connect(node, new Capabilities(Map.of("my_sid", Set.of("un", "udt6", "udt4")), Map.of()));
        controller.settle();
    }

    /** The preference of the candidate path that is installed: one leads over p7, the other does not. */
    private int active() {
        String containers = client.get("policies/gold").json().at("/directions").toString();
        assertThat(client.get("policies/gold").json().get("state").textValue()).isEqualTo("INSTALLED");
        return containers.contains("fcbb:bbbb:700:") ? 200 : 100;
    }
}
