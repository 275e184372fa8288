// SPDX-License-Identifier: Apache-2.0
package org.sextant.northbound.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayNameGeneration;
import org.junit.jupiter.api.DisplayNameGenerator.ReplaceUnderscores;
import org.junit.jupiter.api.Test;
import org.sextant.northbound.history.Past;

@DisplayNameGeneration(ReplaceUnderscores.class)
class HistoryCommandTest {
    private final Past past = new Past();
    private final NetworkCommands controller = new NetworkCommands();

    @BeforeEach
    void begin() {
        controller.keeper = past.keeper;
        controller.inventory = past.inventory;
    }

    @AfterEach
    void close() {
        past.close();
    }

    private Typed type(String... words) {
        return Typed.run(new HistoryCommand(controller), words);
    }

    @Test
    void values_with_a_line_of_the_last_hour() {
        past.sent(0, 0);
        past.sent(12_500, 100);
        past.sent(75_000, 200);
        assertThat(type("link:a/1-b/1", "--points", "360").out())
                .contains("of            quantity            min   now   max   last hour\n")
                .contains("link:a/1-b/1  bytesPerSecond      1250  6250  6250  ···")
                .contains("·▂█\n")
                .contains("link:a/1-b/1  utilisationPercent  1     5     5     ");
        assertThat(type().out()).as("without a name, the links").contains("link:b/1-a/1  bytesPerSecond");
        assertThat(type("link:none").out()).contains("link:none  nothing was measured");
        assertThat(type("link:a/1-b/1", "--json").json().at("/things/0/of").textValue())
                .isEqualTo("link:a/1-b/1");
    }

    @Test
    void the_states_of_a_moment() {
        past.inventory.link("a", "b", false);
        past.seconds(60);
        past.inventory.link("a", "b", true);
        past.seconds(30);
        assertThat(type("--at", "45").out())
                .startsWith("as it was at 2026-11-23 10:00:45 UTC, 45 s ago\n")
                .contains("a/1-b/1  false");
        assertThat(type("--at", "10", "--json").json().at("/links/0/up").booleanValue())
                .isTrue();
    }

    @Test
    void what_is_wrong_is_said() {
        assertThat(type("gold").err()).contains("\"gold\" does not name a thing that is measured");
        assertThat(type("--at", "noon").err()).contains("neither a time in UTC nor a number of seconds");
        assertThat(type("link:a/1-b/1", "--at", "3").err()).contains("--at shows all states, and no values");
        assertThat(Typed.tab(new HistoryCommand(controller), List.of(), "link:a"))
                .containsExactly("link:a/1-b/1", "link:b/1-a/1");
    }
}
