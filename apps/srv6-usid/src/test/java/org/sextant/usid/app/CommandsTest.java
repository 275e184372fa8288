// SPDX-License-Identifier: Apache-2.0
package org.sextant.usid.app;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.sextant.northbound.cli.ShellCommand;
import org.sextant.northbound.cli.Typed;
import org.sextant.usid.probe.Probes;

class CommandsTest {
    private static final Path POLICIES = Path.of("../../lab/policies");

    private final Controller controller = new Controller();

    @AfterEach
    void close() {
        controller.close();
    }

    private final Probes nodes = new Probes();

    private Typed type(String line) {
        return type(line, "");
    }

    /** Types a line into the shell: the command without {@code srv6:}, then its words. */
    private Typed type(String line, String input) {
        String[] words = line.split(" ");
        String[] arguments = Arrays.copyOfRange(words, 1, words.length);
        return Typed.run(command(words[0]), input, arguments);
    }

    private ShellCommand command(String name) {
        return name.equals("policy-probe") ? Probes.command(controller, nodes) : Typed.command(controller.app, name);
    }

    private static Typed refused(String text) {
        return new Typed(1, "", text);
    }

    @Test
    void a_policy_is_added_listed_shown_explained_and_removed() {
        assertThat(type("policy-add h11 h31 l1 l2 p7 p6 v5 v4 l3 --name gold").out())
                .startsWith("gold  INSTALLED since 2")
                .contains("\n  h11 to h31 by l1,l2,p7,p6,v5,v4,l3\n")
                .contains("l1 -> l3  64 bytes  fcbb:bbbb:200:700:600:500:400:0 fcbb:bbbb:300:f00d::");
        assertThat(type("policies").out()).isEqualTo("""
            id    state      from  to   nodes                 bytes
            gold  INSTALLED  h11   h31  l1,l2,p7,p6,v5,v4,l3  64
            """);
        assertThat(type("policy gold").out())
                .startsWith("gold  INSTALLED")
                .containsPattern("since [0-9-]+ [0-9:]+ UTC");
        assertThat(type("policy-explain gold").out()).contains("v4    uN, next segment  fcbb:bbbb:400::");
        assertThat(type("policy-remove --source h11 --destination h31")).isEqualTo(new Typed(0, "removed gold\n", ""));
        assertThat(type("policies").out()).isEqualTo("no policies\n");
        assertThat(controller.held("l1")).isEmpty();
    }

    @Test
    void options_say_what_the_json_says() {
        assertThat(type("policy-add h11 h31 l1,l2,l3 --return l3,v4,p6,p7,l2,l1 --decap vrf:0 --family ipv6 --json")
                        .json()
                        .get("policy")
                        .toString())
                .isEqualTo(
                        "{\"from\":\"h11\",\"to\":\"h31\",\"nodes\":[\"l1\",\"l2\",\"l3\"],\"symmetry\":\"asymmetric\","
                                + "\"returnNodes\":[\"l3\",\"v4\",\"p6\",\"p7\",\"l2\",\"l1\"],"
                                + "\"decap\":\"uDT\",\"family\":\"ipv6\",\"encapsulation\":\"reduced\"}");
    }

    @Test
    void a_document_comes_from_a_file_or_the_standard_input() throws IOException {
        assertThat(type("policy-add --file " + POLICIES.resolve("links.json")).out())
                .startsWith("links  INSTALLED");
        String loose = Files.readString(POLICIES.resolve("loose.json"));
        assertThat(type("policy-add --file -", loose).out()).contains("INSTALLED");
        assertThat(type("policy-explain -f -", loose).status()).isZero();
    }

    @Test
    void the_general_form_shows_its_hops() {
        type(
                "policy-add -f -",
                "{\"headend\":\"l1\",\"hops\":[\"l2\",{\"link\":\"l2-p7\"},{\"node\":\"v8\",\"loose\":true}],"
                        + "\"egress\":\"l3\",\"steering\":[\"h31\"],\"name\":\"one\"}");
        type(
                "policy-add -f -",
                "{\"headend\":\"l1\",\"segmentLists\":[{\"weight\":3,\"hops\":[\"l2\",\"l3\"]},{\"hops\":[{\"node\":"
                        + "\"v4\",\"loose\":true},\"l3\"]}],\"steering\":[\"h32\",\"h33\"],\"name\":\"two\"}");
        assertThat(type("policies").out())
                .contains("one  INSTALLED  l1    h31      l2,l2-p7,(v8),(l3) ")
                .contains("two  INSTALLED  l1    h32,h33  3x(l2,l3) 1x((v4),l3) ");
    }

    @Test
    void a_list_is_added_and_what_is_wrong_in_it_is_told() {
        Typed typed = type(
                "policy-add -f -",
                "[{\"from\":\"h11\",\"to\":\"h31\",\"nodes\":[\"l1\",\"l2\",\"l3\"]},{\"from\":\"h12\",\"to\":\"h99\","
                        + "\"nodes\":[\"l1\",\"l3\"]}]");
        assertThat(typed.status()).isEqualTo(1);
        assertThat(typed.out())
                .isEqualTo(
                        "1 created, 0 unchanged or replaced, 0 not (fully) installed yet, 1 rejected\n"
                                + "  /1/to: there is no host \"h99\"; the hosts are h11, h12, h13, h31, h32, h33, h51, h52, h53, h81, …\n");
    }

    @Test
    void explaining_a_new_policy_adds_nothing() {
        assertThat(type("policy-explain h11 h31 l1 l2 l3 --one-way --json")
                        .json()
                        .at("/directions/0/containers/0")
                        .textValue())
                .isEqualTo("fcbb:bbbb:200:300:f00d::");
        assertThat(type("policies").out()).isEqualTo("no policies\n");
    }

    @Test
    void several_are_removed_at_once() {
        for (String name : List.of("a", "b", "c", "d")) {
            type(
                    "policy-add -f -",
                    "{\"headend\":\"l1\",\"hops\":[\"l2\",\"l3\"],\"steering\":[\"2001:db8:" + name
                            + "::/48\"],\"name\":\"" + name + "\"}");
        }
        assertThat(type("policy-remove a nothing").status()).isEqualTo(1);
        assertThat(type("policies --limit 3").out())
                .contains("\na ", "\nb ", "\nc ")
                .doesNotContain("\nd ");
        assertThat(type("policies --limit 3").err()).isEqualTo("there are more: --after c\n");
        assertThat(type("policies --limit 3 --after c").out()).contains("\nd ").doesNotContain("\nc ");
        assertThat(type("policy-remove a b").out()).isEqualTo("removed a, b\n");
        assertThat(type("policy-remove --source l1 --all --json").json().get("removed"))
                .hasSize(2);
        assertThat(type("policy-remove --all").out()).isEqualTo("nothing to remove\n");
    }

    @Test
    void errors_are_sentences() {
        assertThat(type("policy-add h11 h31 l1 x9 l3"))
                .isEqualTo(refused("there is no node \"x9\"\n    the nodes are l1, l2, l3, p6, p7, v4, v5, v8\n"));
        assertThat(type("policy-add -f none.json"))
                .isEqualTo(
                        refused(
                                "there is no file none.json that the controller can read\n    name one, or - for the standard input\n"));
        assertThat(type("policy nothing"))
                .isEqualTo(refused("there is no policy \"nothing\"\n    list the policies to see what there is\n"));
        assertThat(type("policy-explain nothing").status()).isEqualTo(1);
        assertThat(type("policy-add -f -", "{\"from\":7}").err()).startsWith("/from: ");
        assertThat(type("policies --limit many").err()).contains("not a number from 1");
    }

    @Test
    void words_that_make_no_sense_are_told_in_one_line() {
        for (String line : List.of(
                "policy-add",
                "policy-add h11",
                "policy-add h11 h31",
                "policy-add h11 h31 l1 --nmae gold",
                "policy-add --file x.json --name gold",
                "policy-add h11 --file x.json",
                "policy-remove",
                "policy-remove a --source h11",
                "policy-remove a --all",
                "policy-explain",
                "policy-explain h11 h31",
                "policy",
                "policy a b",
                "policies x")) {
            Typed typed = type(line);
            assertThat(typed.status()).as(line).isEqualTo(2);
            assertThat(typed.out()).as(line).isEmpty();
            assertThat(typed.err())
                    .as(line)
                    .startsWith("srv6:" + line.split(" ")[0] + ": ")
                    .hasLineCount(1);
        }
    }

    @Test
    void a_probe_prints_what_was_answered_and_fails_if_something_was_not() {
        type("policy-add h11 h31 l1 l2 l3 --name gold --family ipv6");
        assertThat(type("policy-probe gold --count 2")).isEqualTo(new Typed(0, """
            gold  INSTALLED
              headend  steers            tried  answered  round trip min / mean / max
              l1       fd00:0:31::2/128  h31    2 of 2    1 / 2000 / 3000000 µs
              l3       fd00:0:11::2/128  h11    2 of 2    1 / 2000 / 3000000 µs
            """, ""));
        nodes.silent = "l3";
        assertThat(type("policy-probe gold").status()).isEqualTo(1);
        assertThat(type("policy-probe gold --destination h31").status()).isZero();
        assertThat(type("policy-probe gold --count 0").status()).isEqualTo(1);
    }

    @Test
    void a_decapsulation_that_is_none_is_told_with_the_forms_of_the_shell() {
        for (String decap : List.of("vrf:x", "vrf:", "vrf", "udt64")) {
            assertThat(type("policy-add h11 h31 l1 l2 l3 --decap " + decap).err())
                    .isEqualTo("srv6:policy-add: --decap: \"" + decap
                            + "\" is none of f00d, uDT, vrf:N (as vrf:0) and numbering (srv6:policy-add --help)\n");
        }
        assertThat(type("policy-add h11 h31 l1 l2 l3 --decap vrf:70000").err()).contains("65535");
    }

    @Test
    void a_dry_run_adds_nothing() {
        assertThat(type("policy-add h11 h31 l1 l2 l3 --dry-run").out()).contains("fcbb:bbbb:200:300:f00d::");
        Typed list = type(
                "policy-add --dry-run -f -",
                "[{\"from\":\"h11\",\"to\":\"h31\",\"nodes\":[\"l1\",\"l2\",\"l3\"]},{\"from\":7}]");
        assertThat(list.status()).isEqualTo(1);
        assertThat(list.out()).startsWith("/0\n").contains("fcbb:bbbb:200:300:f00d::", "\n/1\n  /1/from: ");
        assertThat(type("policies").out()).isEqualTo("no policies\n");
    }

    @Test
    void every_command_explains_itself_with_an_example() {
        for (String name :
                List.of("policies", "policy", "policy-add", "policy-explain", "policy-probe", "policy-remove")) {
            assertThat(type(name + " --help").out())
                    .startsWith("Usage: srv6:" + name)
                    .containsPattern("Examples?:\n  srv6:" + name)
                    .doesNotContainPattern("[.]\n +/");
        }
    }

    @Test
    void tab_knows_policies_hosts_and_nodes() {
        type("policy-add h11 h31 l1 l2 l3 --name gold");
        assertThat(Typed.tab(command("policy"), List.of(), "")).containsExactly("gold");
        assertThat(Typed.tab(command("policy-explain"), List.of(), "")).contains("gold", "h11");
        assertThat(Typed.tab(command("policy-add"), List.of("h11"), ""))
                .contains("h31")
                .doesNotContain("l1");
        assertThat(Typed.tab(command("policy-add"), List.of("h11", "h31"), ""))
                .contains("l1")
                .doesNotContain("h31");
        assertThat(Typed.tab(command("policy-add"), List.of("h11", "h31", "l1", "--family"), ""))
                .containsExactly("ipv4", "ipv6");
    }
}
