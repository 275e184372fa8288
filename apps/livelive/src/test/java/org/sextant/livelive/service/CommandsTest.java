// SPDX-License-Identifier: Apache-2.0
package org.sextant.livelive.service;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.sextant.northbound.cli.ShellCommand;
import org.sextant.northbound.cli.Typed;

class CommandsTest {
    private final LiveController controller = new LiveController();

    @AfterEach
    void close() {
        controller.close();
    }

    private Typed type(String line) {
        String[] words = line.split(" ");
        return Typed.run(command(words[0]), Arrays.copyOfRange(words, 1, words.length));
    }

    private ShellCommand command(String name) {
        return Typed.command(controller.app, name);
    }

    @Test
    void a_flow_is_added_listed_shown_and_removed() {
        assertThat(type("livelive-add a b 2 --name gold").out())
                .startsWith("gold  INSTALLED since ")
                .contains("  a -> b: e1 copies, e2 delivers; flow ")
                .contains("    1     UNKNOWN  0.0 %  -     0      0          0     0     -       e1 c1 e2");
        assertThat(type("livelive-list").out()).isEqualTo("""
            id    state      from  to  paths   troubles
            gold  INSTALLED  a     b   2 of 2
            """);
        assertThat(type("livelive gold --json").json().get("found").intValue()).isEqualTo(2);
        assertThat(Typed.tab(command("livelive-remove"), List.of(), "")).containsExactly("gold");
        assertThat(type("livelive-remove gold")).isEqualTo(new Typed(0, "removed gold\n", ""));
        assertThat(type("livelive-list").out()).isEqualTo("no Live-Live flows\n");
    }

    @Test
    void a_dry_run_shows_the_segments() {
        assertThat(type("livelive-add --file ../../lab/livelive/given.json --dry-run")
                        .out())
                .contains("2     80     fcbb:bbbb:c40:e20:f102::  e1 c4 e2");
        assertThat(type("livelive-list").out()).isEqualTo("no Live-Live flows\n");
    }

    @Test
    void options_say_what_the_json_says() {
        assertThat(type("livelive-add a b --protocol udp --destination-port 5004 --disjoint srlg --symmetric --json")
                        .json()
                        .get("flow")
                        .toString())
                .isEqualTo("{\"from\":\"a\",\"to\":\"b\",\"protocol\":\"udp\",\"destinationPort\":5004,"
                        + "\"symmetry\":\"symmetric\",\"paths\":\"disjoint\",\"disjoint\":\"srlg\","
                        + "\"shortfall\":\"offer\"}");
    }

    @Test
    void errors_are_sentences() {
        assertThat(type("livelive-add a x 2"))
                .isEqualTo(new Typed(1, "", "there is no host \"x\"\n    the hosts are a, b\n"));
        assertThat(type("livelive-remove nothing").err()).startsWith("there is no Live-Live flow \"nothing\"\n");
        assertThat(type("livelive nothing").err()).startsWith("there is no Live-Live flow \"nothing\"\n");
        for (String line : List.of(
                "livelive-add",
                "livelive-add a",
                "livelive-add a b --file x.json",
                "livelive-add --file x.json --symmetric",
                "livelive-add a b --source-port many",
                "livelive",
                "livelive-remove",
                "livelive-remove a --all")) {
            Typed typed = type(line);
            assertThat(typed.status()).as(line).isEqualTo(2);
            assertThat(typed.err()).as(line).hasLineCount(1);
        }
    }

    @Test
    void every_command_explains_itself_with_an_example() {
        for (String name : List.of("livelive", "livelive-list", "livelive-add", "livelive-remove")) {
            assertThat(type(name + " --help").out())
                    .containsPattern("Examples?:\n  srv6:" + name)
                    .doesNotContainPattern("[.]\n +/");
        }
    }
}
