// SPDX-License-Identifier: Apache-2.0
package org.sextant.livelive.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.sextant.livelive.service.LiveController;
import org.sextant.northbound.cli.ShellSession;

class CommandsTest {
    private final LiveController controller = new LiveController();

    @AfterEach
    void close() {
        controller.close();
    }

    private String run(LiveLiveCommand command) throws Exception {
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        command.flows = controller.flows;
        command.session = ShellSession.printingTo(out);
        command.execute();
        return out.toString(StandardCharsets.UTF_8);
    }

    private static LiveLiveAddCommand add(String from, String to, String paths) {
        LiveLiveAddCommand command = new LiveLiveAddCommand();
        command.from = from;
        command.to = to;
        command.paths = paths;
        return command;
    }

    @Test
    void a_flow_is_added_listed_shown_and_removed() throws Exception {
        LiveLiveAddCommand add = add("a", "b", "2");
        add.name = "gold";
        assertThat(run(add))
                .startsWith("gold  INSTALLED since ")
                .contains("  a -> b: e1 copies, e2 delivers; flow ")
                .contains("    1     UNKNOWN  0.0 %  -     0      0          0     0     -       e1 c1 e2");
        assertThat(run(new LiveLiveListCommand()))
                .isEqualTo("""
            id    state      from  to  paths   troubles
            gold  INSTALLED  a     b   2 of 2
            """);
        LiveLiveShowCommand show = new LiveLiveShowCommand();
        show.id = "gold";
        show.json = true;
        assertThat(new ObjectMapper().readTree(run(show)).get("found").intValue()).isEqualTo(2);
        LiveLiveRemoveCommand remove = new LiveLiveRemoveCommand();
        remove.id = "gold";
        assertThat(run(remove)).isEqualTo("removed gold\n");
        assertThat(run(new LiveLiveListCommand())).isEqualTo("no Live-Live flows\n");
    }

    @Test
    void a_dry_run_shows_the_segments() throws Exception {
        LiveLiveAddCommand add = new LiveLiveAddCommand();
        add.file = "../../lab/livelive/given.json";
        add.dryRun = true;
        assertThat(run(add)).contains("2     80     fcbb:bbbb:c40:e20:f102::  e1 c4 e2");
        assertThat(run(new LiveLiveListCommand())).isEqualTo("no Live-Live flows\n");
    }

    @Test
    void options_say_what_the_json_says() throws Exception {
        LiveLiveAddCommand add = add("a", "b", "disjoint");
        add.protocol = "udp";
        add.destinationPort = 5004;
        add.disjoint = "srlg";
        add.symmetric = true;
        add.json = true;
        assertThat(new ObjectMapper().readTree(run(add)).get("flow").toString())
                .isEqualTo("{\"from\":\"a\",\"to\":\"b\",\"protocol\":\"udp\",\"destinationPort\":5004,"
                        + "\"symmetry\":\"symmetric\",\"paths\":\"disjoint\",\"disjoint\":\"srlg\","
                        + "\"shortfall\":\"offer\"}");
    }

    @Test
    void errors_are_sentences() {
        assertThatThrownBy(() -> run(add("a", "x", "2")))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("/to: there is no host \"x\"\n    did you mean a?");
        assertThatThrownBy(() -> run(add("a", null, "2"))).hasMessageContaining("give the two ends");
        LiveLiveAddCommand both = add("a", "b", "2");
        both.file = "x.json";
        assertThatThrownBy(() -> run(both)).hasMessage("give either a file or two ends, not both");
    }
}
