// SPDX-License-Identifier: Apache-2.0
package org.sextant.northbound.cli;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import java.util.List;
import org.junit.jupiter.api.DisplayNameGeneration;
import org.junit.jupiter.api.DisplayNameGenerator.ReplaceUnderscores;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.sextant.core.Problem;
import org.sextant.core.ProblemException;
import org.sextant.core.port.StoreUnavailableException;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

@DisplayNameGeneration(ReplaceUnderscores.class)
class RunTest {

    @Command(
            name = "greet",
            description = "Greets.",
            footer = {"", "Example:", "  srv6:greet l1"})
    private static final class Greet extends ShellCommand {
        @Parameters(paramLabel = "NODE", arity = "1..*")
        private List<String> nodes;

        @Option(names = "--by", paramLabel = "BY")
        private String by = "hand";

        @Override
        protected int run() throws Exception {
            if (nodes.contains("x9")) {
                throw new ProblemException(
                        new Problem(Problem.Code.UNKNOWN, "/nodes/1", "there is no node \"x9\"", "did you mean l1?"));
            }
            if (nodes.contains("bug")) {
                throw new IllegalStateException("secret");
            }
            if (nodes.contains("cut")) {
                throw new StoreUnavailableException("the storage does not answer; see its links");
            }
            print(JsonNodeFactory.instance.objectNode().put("by", by), nodes + " by " + by + "\n");
            return 0;
        }

        @Override
        protected Iterable<String> names(String label) {
            return label.equals("NODE") ? List.of("l1", "l2") : List.of("post");
        }
    }

    private static Typed greet(String... words) {
        return Typed.run(new Greet(), words);
    }

    @Test
    void options_may_stand_anywhere() {
        Typed expected = new Typed(0, "[l1, l2] by post\n", "");
        assertThat(greet("--by", "post", "l1", "l2")).isEqualTo(expected);
        assertThat(greet("l1", "--by", "post", "l2")).isEqualTo(expected);
        assertThat(greet("l1", "l2", "--by=post")).isEqualTo(expected);
        assertThat(greet("l1", "--json").json().get("by").asText()).isEqualTo("hand");
    }

    @Test
    void a_refusal_is_words_among_the_errors_and_nothing_among_the_results() {
        assertThat(greet("x9")).isEqualTo(new Typed(1, "", "there is no node \"x9\"\n    did you mean l1?\n"));
    }

    @Test
    void a_refusal_for_programs_is_among_the_results() {
        Typed refused = greet("x9", "--json");
        assertThat(refused.status()).isEqualTo(1);
        assertThat(refused.err()).isEmpty();
        assertThat(refused.json().at("/errors/0/field").asText()).isEqualTo("/nodes/1");
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "--by", "--yb post l1", "--by=a --by=b l1", "l1 -x"})
    void words_that_make_no_sense_are_one_line_and_status_2(String words) {
        Typed misused = greet(words.isEmpty() ? new String[0] : words.split(" "));
        assertThat(misused.status()).isEqualTo(2);
        assertThat(misused.out()).isEmpty();
        assertThat(misused.err())
                .startsWith("srv6:greet: ")
                .endsWith("(srv6:greet --help)\n")
                .hasLineCount(1);
    }

    @Test
    void an_option_that_is_almost_one_is_named() {
        assertThat(greet("l1", "--jsno").err()).contains("did you mean --json");
    }

    @Test
    void a_fault_is_a_reference_and_no_secret() {
        Typed fault = greet("bug");
        assertThat(fault.status()).isEqualTo(1);
        assertThat(fault.err()).contains("reference").doesNotContain("secret").hasLineCount(1);
    }

    @Test
    void what_does_not_answer_is_named_and_is_no_fault() {
        Typed cut = greet("cut");
        assertThat(cut.status()).isEqualTo(1);
        assertThat(cut.err()).isEqualTo("the storage does not answer; see its links\n");
    }

    @Test
    void help_has_examples_and_no_colours() {
        Typed help = greet("--help");
        assertThat(help.status()).isZero();
        assertThat(help.out())
                .startsWith("Usage: srv6:greet ")
                .contains("Greets.", "--by", "--json", "Example:\n  srv6:greet l1")
                .doesNotContain("\u001b");
    }

    @Test
    void tab_offers_options_and_what_a_label_stands_for() {
        assertThat(Typed.tab(new Greet(), List.of(), "")).containsExactly("l1", "l2");
        assertThat(Typed.tab(new Greet(), List.of("l1"), "l")).containsExactly("l1", "l2");
        assertThat(Typed.tab(new Greet(), List.of("l1"), "--")).containsExactly("--by", "--help", "--json");
        assertThat(Typed.tab(new Greet(), List.of("--by"), "")).containsExactly("post");
        assertThat(Typed.tab(new Greet(), List.of("--by", "post"), "")).containsExactly("l1", "l2");
        assertThat(Typed.tab(new Greet(), List.of("--json"), "")).containsExactly("l1", "l2");
    }
}
