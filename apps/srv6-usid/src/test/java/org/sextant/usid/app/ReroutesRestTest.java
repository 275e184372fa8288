// SPDX-License-Identifier: Apache-2.0
package org.sextant.usid.app;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import java.lang.reflect.Proxy;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayNameGeneration;
import org.junit.jupiter.api.DisplayNameGenerator.ReplaceUnderscores;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.sextant.core.intent.EngineEvent.IntentReported;
import org.sextant.core.intent.Intents;
import org.sextant.core.net.Network;
import org.sextant.northbound.rest.Client;
import org.sextant.usid.Fig4;
import org.sextant.usid.text.PolicyText;

/** A link of a policy's intended path fails and recovers: the events and the view of the policy. */
@DisplayNameGeneration(ReplaceUnderscores.class)
@Timeout(120)
class ReroutesRestTest {
    private static final String LOOSE =
            "{'name':'gold','headend':'l1','steering':['2001:db8::/48']," + "'hops':['l2',{'node':'l3','loose':true}]}";
    private static final String STRICT =
            "{'name':'gold','headend':'l1','steering':['2001:db8::/48'],'hops':['l2','l3']}";
    private static final String CANDIDATES = "{'name':'gold','headend':'l1','endpoint':'l3',"
            + "'steering':['2001:db8::/48'],'candidatePaths':[{'preference':200,'hops':['l2','l3']},"
            + "{'hops':['l2','p7','p6','v4','l3']}]}";
    private static final String DYNAMIC = "{'name':'gold','headend':'l1','endpoint':'l3',"
            + "'steering':['2001:db8::/48'],'candidatePaths':[{'dynamic':{'metric':'hops','include':['l2']}}]}";

    private final Controller controller = new Controller();
    private final Client client = Client.of(controller.app);
    private final BlockingQueue<IntentReported> told = new LinkedBlockingQueue<>();

    @BeforeEach
    void listen() {
        controller.engine.listen(event -> {
            if (event instanceof IntentReported report && report.subject().equals("path")) {
                told.add(report);
            }
        });
    }

    @AfterEach
    void close() {
        controller.close();
    }

    @Test
    void a_loose_path_wants_what_the_underlay_would_take_and_says_so_until_it_is_back() throws InterruptedException {
        post(LOOSE);
        assertThat(wanted().isMissingNode()).isTrue();
        controller.inventory.link("l2", "l3", false);
        assertThat(next().message()).isEqualTo("rerouted, wanted l2-l3");
        assertThat(wanted().get("valid").booleanValue()).isTrue();
        assertThat(wanted().at("/down/0").textValue()).isEqualTo("l2-l3");
        assertThat(wanted().get("links").toString()).contains("l1/1-l2/1", "l2/");
        assertThat(new PolicyText().summary(client.get("policies/gold").json()))
                .contains("rerouted since 2", " UTC, wanted l2-l3\n");
        controller.inventory.link("l2", "l3", true);
        assertThat(next()).satisfies(report -> {
            assertThat(report.trouble()).isFalse();
            assertThat(report.message()).isEqualTo("back on its intended path");
        });
        assertThat(wanted().isMissingNode()).isTrue();
    }

    @Test
    void of_candidate_paths_the_best_is_wanted() throws InterruptedException {
        post(CANDIDATES);
        controller.inventory.link("l2", "l3", false);
        assertThat(next().message()).isEqualTo("rerouted, wanted l2-l3");
        assertThat(wanted().get("valid").booleanValue()).isTrue();
    }

    @Test
    void a_computed_path_wants_the_one_that_would_be_computed() throws InterruptedException {
        post(DYNAMIC);
        controller.inventory.link("l2", "l3", false);
        assertThat(next().message()).isEqualTo("rerouted, wanted l2-l3");
    }

    @Test
    void a_strict_path_that_is_broken_has_no_other() throws InterruptedException {
        post(STRICT);
        controller.inventory.link("l2", "l3", false);
        assertThat(next().message()).isEqualTo("no valid path, wanted l2-l3");
        assertThat(wanted().get("valid").booleanValue()).isFalse();
    }

    @Test
    void a_plan_of_before_the_loss_of_its_link_says_nothing_of_the_path() throws InterruptedException {
        post(STRICT);
        Network lost = Fig4.withLinks(link -> link.withUp(!Fig4.joins(link, "l2", "l3")));
        CountDownLatch asked = new CountDownLatch(1);
        Reroutes early = new Reroutes();
        early.engine = (Intents) Proxy.newProxyInstance(
                Intents.class.getClassLoader(), new Class<?>[] {Intents.class}, (proxy, method, arguments) -> {
                    if (!method.getName().equals("context")) {
                        return method.invoke(controller.engine, arguments);
                    }
                    asked.countDown();
                    return controller.engine.context().over(lost);
                });
        controller.app.reroutes.deactivate();
        early.activate();
        asked.await();
        controller.inventory.link("l2", "l3", false);
        assertThat(next().message()).isEqualTo("no valid path, wanted l2-l3");
        early.deactivate();
    }

    @Test
    void since_stays_when_another_link_goes() throws InterruptedException {
        post(LOOSE);
        controller.inventory.link("l2", "l3", false);
        next();
        String since = wanted().get("since").textValue();
        controller.inventory.link("l1", "l2", false);
        assertThat(next().message()).endsWith("wanted l1-l2, l2-l3");
        assertThat(wanted().get("since").textValue()).isEqualTo(since);
    }

    @Test
    void a_policy_that_is_added_while_its_link_is_down_wants_it_all_the_same() throws InterruptedException {
        controller.inventory.link("l2", "l3", false);
        controller.settle();
        post(LOOSE);
        assertThat(next().message()).isEqualTo("rerouted, wanted l2-l3");
    }

    @Test
    void a_link_that_no_path_wants_is_of_no_concern() throws InterruptedException {
        post(LOOSE);
        controller.inventory.link("p6", "v5", false);
        controller.inventory.link("l2", "l3", false);
        assertThat(List.of(next().message())).containsExactly("rerouted, wanted l2-l3");
    }

    private void post(String policy) {
        assertThat(client.post("policies", policy).status()).isIn(200, 201, 202);
        controller.settle();
    }

    private JsonNode wanted() {
        return client.get("policies/gold").json().path("wanted");
    }

    private IntentReported next() throws InterruptedException {
        IntentReported report = told.poll(60, TimeUnit.SECONDS);
        assertThat(report).as("something is told").isNotNull();
        return report;
    }
}
