// SPDX-License-Identifier: Apache-2.0
package org.sextant.northbound.rest;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayNameGeneration;
import org.junit.jupiter.api.DisplayNameGenerator.ReplaceUnderscores;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.sextant.core.intent.EngineEvent;
import org.sextant.core.intent.IntentRef;
import org.sextant.core.intent.IntentState;
import org.sextant.core.net.Network;
import org.sextant.northbound.history.Past;
import org.sextant.northbound.rest.Client.Answer;
import org.sextant.northbound.view.Nets;

@DisplayNameGeneration(ReplaceUnderscores.class)
class HistoryResourceTest {
    private static final String LINK = "link:a/1-b/1";

    private final Past past = new Past();
    private final HistoryResource resource = new HistoryResource();
    private final Client client = Client.of(resource);

    @BeforeEach
    void begin() {
        resource.keeper = past.keeper;
    }

    @AfterEach
    void close() {
        past.close();
    }

    private JsonNode get(String path) {
        Answer answer = client.get(path);
        assertThat(answer.status()).as(path + " " + answer.json()).isEqualTo(200);
        return answer.json();
    }

    @Test
    void a_link_with_what_it_carried_and_how_much_of_its_speed_that_is() {
        past.sent(0, 0);
        past.sent(12_500, 100);
        past.sent(75_000, 200);
        assertThat(get("history?of=" + LINK + "&points=360"))
                .hasToString("{\"now\":\"2026-11-23T10:00:30Z\",\"stepSeconds\":10,\"leftOut\":0,\"things\":["
                        + "{\"of\":\"link:a/1-b/1\",\"series\":["
                        + "{\"quantity\":\"bytesPerSecond\",\"values\":[" + gaps(358) + "1250.0,6250.0]},"
                        + "{\"quantity\":\"packetsPerSecond\",\"values\":[" + gaps(358) + "10.0,10.0]},"
                        + "{\"quantity\":\"utilisationPercent\",\"values\":[" + gaps(358) + "1.0,5.0]}]}]}");
        JsonNode hour = get("history?of=" + LINK);
        assertThat(hour.get("stepSeconds").intValue()).isEqualTo(60);
        assertThat(hour.at("/things/0/series/0/values")).hasSize(60);
        assertThat(hour.at("/things/0/series/0/values/59").doubleValue()).isEqualTo(3750);
    }

    @Test
    void probes_are_a_series_of_their_own_and_take_of_the_speed_as_well() {
        past.sent(0, 0, 10);
        past.sent(12_500, 100, 85);
        assertThat(get("history?of=" + LINK + "&points=360"))
                .hasToString("{\"now\":\"2026-11-23T10:00:20Z\",\"stepSeconds\":10,\"leftOut\":0,\"things\":["
                        + "{\"of\":\"link:a/1-b/1\",\"series\":["
                        + "{\"quantity\":\"bytesPerSecond\",\"values\":[" + gaps(359) + "500.0]},"
                        + "{\"quantity\":\"packetsPerSecond\",\"values\":[" + gaps(359) + "2.5]},"
                        + "{\"quantity\":\"probeBytesPerSecond\",\"values\":[" + gaps(359) + "750.0]},"
                        + "{\"quantity\":\"probePacketsPerSecond\",\"values\":[" + gaps(359) + "7.5]},"
                        + "{\"quantity\":\"utilisationPercent\",\"values\":[" + gaps(359) + "1.0]}]}]}");
    }

    @Test
    void where_no_capacity_is_described_the_speed_that_nodes_tell_counts() {
        Network plain = new Network(
                past.inventory.snapshot().nodes().values(),
                past.inventory.snapshot().links().stream()
                        .map(link -> link.withCapacityKbps(0))
                        .toList(),
                List.of());
        past.inventory.set(plain);
        past.sent(0, 0);
        past.sent(12_500, 100);
        assertThat(get("history?of=" + LINK).at("/things/0/series").findValuesAsText("quantity"))
                .as("nobody knows the speed")
                .doesNotContain("utilisationPercent");
        past.inventory.set(Nets.withSpeeds(plain, Map.of("a", 10_000L, "b", 2_000L)));
        assertThat(get("history?of=" + LINK + "&points=360").at("/things/0/series/2/values/359"))
                .hasToString("0.5");
        past.inventory.set(Nets.withSpeeds(Past.NETWORK, Map.of("a", 2_000L)));
        assertThat(get("history?of=" + LINK + "&points=360").at("/things/0/series/2/values/359"))
                .as("what is described counts more")
                .hasToString("1.0");
    }

    private static String gaps(int count) {
        return "null,".repeat(count);
    }

    @Test
    void many_in_one_answer_and_of_who_was_never_measured_nothing() {
        past.sent(0, 0);
        past.sent(12_500, 100);
        JsonNode things =
                get("history?of=" + LINK + ",link:b/1-a/1,link:none&points=60").get("things");
        assertThat(things.findValuesAsText("of")).containsExactly(LINK, "link:b/1-a/1", "link:none");
        assertThat(things.at("/1/series/0/values/59").doubleValue())
                .as("what its end received, as its beginning does not count")
                .isZero();
        assertThat(things.get(2).get("series")).isEmpty();
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = ';',
            value = {
                "history;/of;nothing is asked for",
                "history?of=;/of;nothing is asked for",
                "history?of=policy;/of;\"policy\" does not name a thing",
                "history?of=link:;/of;\"link:\" does not name a thing",
                "history?of=link:a,,;/of;\"\" does not name a thing",
                "history?of=lnk:a;/of;\"lnk:a\" does not name a thing",
                "history?of=link:a&points=0;/points;\"0\" is not a number from 1 to 360",
                "history?of=link:a&points=361;/points;\"361\" is not a number from 1 to 360",
                "history?of=link:a&points=-1;/points;\"-1\" is not a number from 1 to 360",
                "history?of=link:a&points=99999999999;/points;is not a number from 1 to 360",
                "history?of=link:a&point=3;/point;has no parameter",
                "history/state?at=yesterday;/at;\"yesterday\" is neither a time in UTC nor a number of seconds",
                "history/state?at=2026-11-23T10:00:00;/at;is neither a time in UTC",
                "history/state?at=-5;/at;is neither a time in UTC",
                "history/state?at=999999;/at;is not known any more",
                "history/state?at=0001-01-01T00:00:00Z;/at;is not known any more",
                "history/state?at=9999-01-01T00:00:00Z;/at;is not yet",
            })
    void what_cannot_be_read_is_refused_by_name(String path, String field, String message) {
        Answer answer = client.get(path);
        assertThat(answer.status()).isEqualTo(400);
        assertThat(answer.json().at("/errors/0/field").textValue()).isEqualTo(field);
        assertThat(answer.json().at("/errors/0/message").textValue()).contains(message);
    }

    @Test
    void no_more_than_a_hundred_things_at_once() {
        String many = IntStream.range(0, 101).mapToObj(i -> "link:n" + i).collect(Collectors.joining(","));
        Answer answer = client.get("history?of=" + many);
        assertThat(answer.status()).isEqualTo(400);
        assertThat(answer.json().at("/errors/0/message").textValue()).isEqualTo("101 things are asked for at once");
    }

    @Test
    void the_states_of_a_moment_by_time_or_by_how_long_ago() {
        past.tell(new EngineEvent.IntentChanged(new IntentRef("policy", "gold"), IntentState.INSTALLED));
        past.seconds(60);
        past.inventory.link("a", "b", false);
        past.tell(new EngineEvent.IntentChanged(new IntentRef("policy", "gold"), IntentState.FAILED));
        past.seconds(60);
        past.inventory.link("a", "b", true);
        past.seconds(60);
        for (String at : new String[] {"90", "2026-11-23T10:01:30Z"}) {
            assertThat(get("history/state?at=" + at))
                    .hasToString("{\"now\":\"2026-11-23T10:03:00Z\",\"at\":\"2026-11-23T10:01:30Z\",\"secondsAgo\":90,"
                            + "\"from\":\"2026-11-23T10:00:00Z\",\"intentsFrom\":\"2026-11-23T10:00:00Z\",\"leftOut\":0,"
                            + "\"nodes\":[],\"links\":[{\"id\":\"a/1-b/1\",\"up\":false},{\"id\":\"b/1-a/1\",\"up\":false}],"
                            + "\"hosts\":[],\"intents\":[{\"kind\":\"policy\",\"id\":\"gold\",\"state\":\"FAILED\"}]}");
        }
        assertThat(get("history/state").at("/links/0/up").booleanValue()).isTrue();
        assertThat(get("history/state?at=179").at("/links/0/up").booleanValue()).isTrue();
    }

    @Test
    void the_load_of_then_is_told_with_the_states() {
        past.sent(0, 0);
        past.sent(12_500, 100);
        past.sent(75_000, 200);
        assertThat(get("history/state?at=10").at("/links/0/bitsPerSecond").longValue())
                .isEqualTo(10_000);
        assertThat(get("history/state").at("/links/0/bitsPerSecond").longValue())
                .isEqualTo(50_000);
        past.seconds(60);
        assertThat(get("history/state").at("/links/0").has("bitsPerSecond"))
                .as("a gap")
                .isFalse();
    }

    @Test
    void a_clock_that_jumps_by_an_hour_either_way_moves_nothing_that_was_measured() {
        past.sent(0, 0);
        past.sent(12_500, 100);
        past.inventory.link("a", "b", false);
        past.jump(Duration.ofHours(1));
        past.sent(25_000, 200);
        JsonNode forth = get("history?of=" + LINK + "&points=360");
        assertThat(forth.get("now").textValue()).isEqualTo("2026-11-23T11:00:30Z");
        assertThat(forth.at("/things/0/series/0/values/358").doubleValue()).isEqualTo(1250);
        assertThat(forth.at("/things/0/series/0/values/359").doubleValue()).isEqualTo(1250);
        assertThat(get("history/state?at=2026-11-23T11:00:25Z")
                        .at("/links/0/up")
                        .booleanValue())
                .isFalse();
        past.jump(Duration.ofHours(-2));
        past.sent(37_500, 300);
        assertThat(get("history/state?at=2026-11-23T09:00:15Z")
                        .at("/links/0/up")
                        .booleanValue())
                .as("before it went down, by the clock as it is now")
                .isTrue();
        assertThat(get("history?of=" + LINK + "&points=360")
                        .at("/things/0/series/0/values/359")
                        .doubleValue())
                .isEqualTo(1250);
    }

    @Test
    void who_goes_by_a_clock_that_is_an_hour_fast_is_told_what_time_it_is_here() {
        past.seconds(30);
        Answer answer = client.get("history/state?at=2026-11-23T11:00:30Z");
        assertThat(answer.status()).isEqualTo(400);
        assertThat(answer.json().at("/errors/0/message").textValue())
                .isEqualTo("\"2026-11-23T11:00:30Z\" is not yet: it is 2026-11-23T10:00:30Z here");
    }
}
