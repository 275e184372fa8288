// SPDX-License-Identifier: Apache-2.0
package org.sextant.usid.app;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import org.junit.jupiter.api.Test;
import org.sextant.core.ProblemException;
import org.sextant.core.intent.IntentState;
import org.sextant.core.port.DataPlane.Code;
import org.sextant.core.provision.Provisioning;
import org.sextant.core.table.MySid;
import org.sextant.usid.Fig4;
import org.sextant.usid.Policy;

/** A node has a behavior in its pipeline, but not for these lengths: it reports this when its SID is written. */
class RefusedSidTest {
    private static final Policy THROUGH_P7 =
            Fig4.policy("{'name':'x','from':'h11','to':'h31','nodes':['l1','p7','l3']}");
    private static final String REFUSED = "node p7 cannot serve its SID fcbb:bbbb:700::/48: shifts by 32 bits only";

    private static Controller refusing(Code code) {
        Controller controller = new Controller();
        controller.dataPlane.refuse(
                "p7",
                update -> update.entry() instanceof MySid sid
                        && sid.sid().toString().equals("fcbb:bbbb:700::/48"),
                code,
                "shifts by 32 bits only");
        controller.engine.register(new Provisioning());
        controller.settle();
        return controller;
    }

    @Test
    void a_policy_does_not_lead_packets_to_a_sid_that_is_not_there() {
        try (Controller controller = refusing(Code.UNIMPLEMENTED)) {
            assertThatThrownBy(() -> controller.app.intents().dryRun(THROUGH_P7))
                    .isInstanceOf(ProblemException.class)
                    .hasMessageContaining(REFUSED);
            assertThat(controller.held("l1")).isEmpty();
            assertThatCode(() -> controller
                            .app
                            .intents()
                            .dryRun(Fig4.policy("{'from':'h11','to':'h31','nodes':['l1','l2','l3']}")))
                    .doesNotThrowAnyException();
            controller.dataPlane.obey("p7");
            Controller.await(controller.engine.audit());
            controller.settle();
            assertThatCode(() -> controller.app.intents().dryRun(THROUGH_P7)).doesNotThrowAnyException();
        }
    }

    @Test
    void a_policy_that_was_there_before_the_refusal_steers_nothing_until_it_ends() {
        try (Controller controller = new Controller()) {
            Controller.await(
                    controller.app.intents().submit(List.of(THROUGH_P7)).settled());
            assertThat(controller.held("l1")).isNotEmpty();
            controller.dataPlane.refuse(
                    "p7", update -> update.entry() instanceof MySid, Code.UNIMPLEMENTED, "shifts by 32 bits only");
            controller.engine.register(new Provisioning());
            controller.settle();
            assertThat(controller.app.stored("x").state()).isEqualTo(IntentState.FAILED);
            assertThat(controller.held("l1")).isEmpty();
            controller.dataPlane.obey("p7");
            Controller.await(controller.engine.audit());
            controller.settle();
            assertThat(controller.app.stored("x").state()).isEqualTo(IntentState.INSTALLED);
            assertThat(controller.held("l1")).isNotEmpty();
        }
    }

    @Test
    void what_a_node_refuses_for_now_is_no_reason_against_a_policy() {
        try (Controller controller = refusing(Code.RESOURCE_EXHAUSTED)) {
            assertThatCode(() -> controller.app.intents().dryRun(THROUGH_P7)).doesNotThrowAnyException();
        }
    }
}
