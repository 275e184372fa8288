// SPDX-License-Identifier: Apache-2.0
package org.sextant.livelive.service;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.sextant.core.ProblemException;
import org.sextant.core.fake.FakeStore;
import org.sextant.core.intent.Allocation;
import org.sextant.core.intent.IntentState;
import org.sextant.core.intent.Precondition;
import org.sextant.core.intent.Submission;
import org.sextant.core.table.Entry;
import org.sextant.livelive.LabNetwork;
import org.sextant.livelive.LiveLive;
import org.sextant.livelive.plan.LiveLiveKind;

class FlowIntentsTest {
    private static final String FROM_A =
            "{'name':'%s','from':'a','to':'b','paths':2,'protocol':'udp','destinationPort':%d}";
    private static final String FROM_C1 = "{'name':'%s','from':'fd00:0:9::/64','to':'b','paths':2,'ingress':'c1'}";
    private static final String INTENTS = "intents";

    private final FakeStore store = new FakeStore();

    private static void submit(LiveController controller, String flow) {
        Submission<LiveLive> submission = controller.flows.submit(List.of(LabNetwork.flow(flow)));
        if (!submission.outcomes().get(0).accepted()) {
            throw new ProblemException(submission.outcomes().get(0).problems());
        }
        LiveController.await(submission.settled());
    }

    private static void remove(LiveController controller, String id) {
        LiveController.await(controller.flows.remove(List.of(id)));
    }

    /** Group and window of the forward direction. */
    private static List<Long> numbers(LiveController controller, String id) {
        return controller.app.stored(id).intent().grants().stream()
                .limit(2)
                .map(Allocation::number)
                .toList();
    }

    /** An unreachable egress may still have its entries, and would take another flow for it. */
    @Test
    void the_window_and_the_group_of_a_removed_flow_are_not_given_out_again_at_once_not_even_after_a_restart() {
        try (LiveController before = new LiveController(store)) {
            submit(before, FROM_A.formatted("one", 1));
            assertThat(numbers(before, "one")).containsExactly(1L, 0L);
            before.dataPlane.disconnect("e2", "gone");
            remove(before, "one");
        }
        try (LiveController after = new LiveController(store)) {
            submit(after, FROM_A.formatted("two", 2));
            assertThat(numbers(after, "two")).containsExactly(2L, 1L);
        }
    }

    /** The egress may have an unknown state of its numbers, as after forged packets. */
    @Test
    void a_flow_that_is_removed_and_posted_again_is_another_one_to_the_nodes() {
        try (LiveController controller = new LiveController(store)) {
            submit(controller, FROM_A.formatted("one", 1));
            long before = flowId(controller);
            remove(controller, "one");
            submit(controller, FROM_A.formatted("one", 1));
            assertThat(flowId(controller)).isNotEqualTo(before);
        }
    }

    @Test
    void a_change_of_labels_is_a_change_of_the_flow_and_writes_nothing() {
        try (LiveController controller = new LiveController(store)) {
            submit(controller, FROM_A.formatted("one", 1));
            String before = controller.flows.tag(controller.app.stored("one"));
            controller.dataPlane.forgetLog();
            submit(controller, FROM_A.formatted("one", 1).replace("'paths'", "'labels':{'app':'web'},'paths'"));
            assertThat(controller.app.stored("one").intent().intent().metadata().labels())
                    .containsEntry("app", "web");
            assertThat(controller.flows.tag(controller.app.stored("one"))).isNotEqualTo(before);
            assertThat(controller.dataPlane.log()).isEmpty();
        }
    }

    /** Else a flow without a name would be a second one as soon as it has labels. */
    @Test
    void the_identity_of_a_flow_without_a_name_does_not_depend_on_labels() {
        LiveLive plain = LabNetwork.flow("{'from':'a','to':'b','paths':2}");
        LiveLive labeled = LabNetwork.flow("{'from':'a','to':'b','paths':2,'labels':{'app':'web'},'description':'x'}");
        assertThat(labeled).isNotEqualTo(plain);
        LiveLiveKind kind = new LiveLiveKind(LabNetwork.compiler());
        assertThat(kind.identity(labeled)).isEqualTo(kind.identity(plain));
    }

    private static long flowId(LiveController controller) {
        return controller
                .flows
                .find("one")
                .orElseThrow()
                .plan()
                .explanation()
                .at("/directions/0/flowId")
                .longValue();
    }

    /** A restart with this version does not change a flow that an earlier version stored. */
    @Test
    void a_flow_that_an_earlier_version_stored_keeps_what_it_has_on_the_nodes() {
        String before = "{'kind':'livelive','id':'one','number':1,'intent':{'flow':{'name':'one','from':'a','to':'b',"
                + "'paths':2,'protocol':'udp','destinationPort':1},'numbers':[{'group':77,'window':5}]}}";
        store.put(INTENTS, Map.of("livelive/one", before.replace('\'', '"')));
        try (LiveController controller = new LiveController(store)) {
            assertThat(numbers(controller, "one")).containsExactly(77L, 5L);
            assertThat(controller.dataPlane.held("e1").keySet().stream().map(Entry.Key::toString))
                    .contains("sid_list id " + Integer.toUnsignedString(0x8000_0000 | 77 << 4 | 1));
            assertThat(controller
                            .flows
                            .submit(List.of(LabNetwork.flow(FROM_A.formatted("one", 1))))
                            .outcomes()
                            .get(0)
                            .changed())
                    .isFalse();
            submit(controller, FROM_A.formatted("two", 2));
            assertThat(numbers(controller, "two")).containsExactly(78L, 6L);
        }
    }

    @Test
    void an_egress_ends_as_many_flows_as_it_has_windows_and_says_so() {
        try (LiveController controller = new LiveController(store)) {
            for (int i = 1; i <= 64; i++) {
                submit(controller, FROM_A.formatted("f" + i, i));
            }
            assertThatThrownBy(() -> submit(controller, FROM_A.formatted("f65", 65)))
                    .hasMessageContaining("64 flows end at e2 already");
            assertThatThrownBy(() -> controller.flows.dryRun(LabNetwork.flow(FROM_A.formatted("f65", 65))))
                    .hasMessageContaining("64 flows end at e2 already");
            remove(controller, "f7");
            submit(controller, FROM_A.formatted("f65", 65));
            assertThat(numbers(controller, "f65")).containsExactly(65L, 6L);
        }
    }

    @Test
    void a_dry_run_takes_nothing_and_says_what_would_be_taken() {
        try (LiveController controller = new LiveController(store)) {
            for (int i = 0; i < 3; i++) {
                assertThat(controller
                                .flows
                                .dryRun(LabNetwork.flow(FROM_A.formatted("one", 1)))
                                .explanation()
                                .at("/directions/0/window")
                                .intValue())
                        .isZero();
            }
            submit(controller, FROM_A.formatted("one", 1));
            assertThat(numbers(controller, "one")).containsExactly(1L, 0L);
        }
    }

    /** Two controllers admit them at the same time: the first by number and id keeps its numbers. */
    @Test
    void of_two_flows_with_the_same_numbers_the_first_keeps_them_whichever_was_heard_of_first() {
        String one;
        String two;
        try (LiveController controller = new LiveController(new FakeStore())) {
            submit(controller, FROM_A.formatted("one", 1));
            one = controller.store.get(INTENTS, "livelive/one").orElseThrow();
        }
        try (LiveController controller = new LiveController(new FakeStore())) {
            submit(controller, FROM_C1.formatted("two"));
            two = controller.store.get(INTENTS, "livelive/two").orElseThrow();
        }
        for (boolean first : new boolean[] {true, false}) {
            FakeStore shared = new FakeStore();
            try (LiveController controller = new LiveController(shared)) {
                controller.coordination.mine(key -> !key.equals(INTENTS));
                shared.put(INTENTS, first ? Map.of("livelive/one", one) : Map.of("livelive/two", two));
                controller.settle();
                shared.put(INTENTS, first ? Map.of("livelive/two", two) : Map.of("livelive/one", one));
                controller.settle();
                assertThat(numbers(controller, "two"))
                        .as("to give others is the work of another controller")
                        .isEqualTo(numbers(controller, "one"));
                assertThat(controller.app.stored("one").state()).isEqualTo(IntentState.INSTALLED);
                assertThat(controller.app.stored("two").state()).isEqualTo(IntentState.FAILED);
                controller.coordination.mine(key -> true);
                controller.settle();
                assertThat(numbers(controller, "one")).containsExactly(1L, 0L);
                assertThat(numbers(controller, "two")).containsExactly(2L, 1L);
                assertThat(controller.flows.list()).allMatch(flow -> flow.state() == IntentState.INSTALLED);
                int writes = shared.writes();
                controller.settle();
                assertThat(shared.writes()).as("writes once it is settled").isEqualTo(writes);
            }
        }
    }

    @Test
    void a_changed_flow_must_not_overlap_with_another_one_either() {
        try (LiveController controller = new LiveController(store)) {
            submit(controller, FROM_A.formatted("one", 1));
            submit(controller, FROM_A.formatted("two", 2));
            LiveLive overlapping = LabNetwork.flow(FROM_A.formatted("two", 1));
            Submission<LiveLive> refused = controller.flows.change("two", before -> overlapping, Precondition.NONE);
            assertThat(refused.outcomes().get(0).accepted()).isFalse();
            assertThat(refused.outcomes().get(0).problems().get(0).message())
                    .startsWith("flow one has packets of this one");
            assertThat(controller.app.stored("two").intent().intent())
                    .isEqualTo(LabNetwork.flow(FROM_A.formatted("two", 2)));
            LiveLive other = LabNetwork.flow(FROM_A.formatted("two", 3));
            assertThat(controller
                            .flows
                            .change("two", before -> other, Precondition.NONE)
                            .outcomes()
                            .get(0)
                            .accepted())
                    .isTrue();
        }
    }
}
