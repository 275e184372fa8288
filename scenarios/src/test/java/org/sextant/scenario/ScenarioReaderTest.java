// SPDX-License-Identifier: Apache-2.0
package org.sextant.scenario;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.DisplayNameGeneration;
import org.junit.jupiter.api.DisplayNameGenerator.ReplaceUnderscores;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.sextant.scenario.Step.Condition;
import org.sextant.scenario.Step.Exit;
import org.sextant.scenario.Step.Requirement;

@DisplayNameGeneration(ReplaceUnderscores.class)
class ScenarioReaderTest {
    @TempDir
    private Path folder;

    private Scenario read(String body) throws IOException {
        Path file = folder.resolve("s.xml");
        Files.writeString(file, "<scenario name=\"s\" description=\"d\">" + body + "</scenario>");
        return ScenarioReader.read(file, Map.of("WHERE", folder.toString()));
    }

    private static List<String> names(Scenario scenario) {
        return scenario.steps().stream().map(Step::name).toList();
    }

    @Test
    void a_step_is_read_whole() throws IOException {
        Scenario scenario = read("""
            <step name="A" exec="true"/>
            <group name="G" if="${WITH}"><step name="B" exec="x ${Y}" env="!" delay="3" requires="A,~A" unless="${Z}"/></group>
            """);
        assertThat(scenario.steps().get(1))
                .isEqualTo(new Step(
                        "B",
                        "x ${Y}",
                        Exit.NOT_ZERO,
                        3,
                        List.of(new Requirement("A", false), new Requirement("A", true)),
                        List.of(new Condition("WITH", true), new Condition("Z", false))));
    }

    @Test
    void the_caret_is_the_step_before_and_a_group_is_all_its_steps() throws IOException {
        Scenario scenario = read("""
            <group name="G"><step name="A" exec="a"/><step name="B" exec="b" requires="^"/></group>
            <step name="C" exec="c" requires="~^"/>
            """);
        assertThat(scenario.steps().get(1).requires()).containsExactly(new Requirement("A", false));
        assertThat(scenario.steps().get(2).requires())
                .containsExactly(new Requirement("A", true), new Requirement("B", true));
    }

    @Test
    void what_a_group_requires_all_its_steps_require() throws IOException {
        Scenario scenario = read("""
            <step name="A" exec="a"/><group name="G" requires="A"><step name="B" exec="b"/><step name="C" exec="c"/></group>
            """);
        assertThat(scenario.steps().subList(1, 3))
                .allMatch(step -> step.requires().equals(List.of(new Requirement("A", false))));
    }

    @Test
    void imports_are_relative_and_dependencies_order_them() throws IOException {
        Files.writeString(
                folder.resolve("one.xml"),
                "<scenario name=\"one\"><group name=\"One\"><step name=\"A\" exec=\"a\"/></group></scenario>");
        Files.writeString(
                folder.resolve("two.xml"),
                "<scenario name=\"two\"><group name=\"Two\"><step name=\"B\" exec=\"b\"/></group></scenario>");
        Scenario scenario = read("""
            <import file="one.xml"/><import file="${WHERE}/two.xml"/><dependency name="One" requires="~Two"/>
            """);
        assertThat(names(scenario)).containsExactly("B", "A");
    }

    @Test
    void a_step_comes_after_a_later_one_that_it_requires() throws IOException {
        assertThat(names(read("<step name=\"A\" exec=\"a\" requires=\"B\"/><step name=\"B\" exec=\"b\"/>")))
                .containsExactly("B", "A");
    }

    @ParameterizedTest(name = "{1}")
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '`',
            value = {
                "<parallel var=\"x\"/>                                                                  | parallel is not run here",
                "<step name=\"A\" exec=\"a\" cwd=\"/\"/>                                                | has no cwd here",
                "<step name=\"A\"/>                                                                     | has no exec",
                "<step name=\"A\" exec=\"a\" env=\"PATH\"/>                                             | env is PATH",
                "<step name=\"A\" exec=\"a\" requires=\"^\"/>                                           | nothing before it",
                "<step name=\"A\" exec=\"a\" requires=\"X\"/>                                           | requires X, which is nowhere",
                "<step name=\"A\" exec=\"a\" requires=\"A\"/>                                           | requires itself",
                "<step name=\"A\" exec=\"a\"/><step name=\"A\" exec=\"b\"/>                             | there is another A",
                "<step name=\"A\" exec=\"a\" delay=\"soon\"/>                                           | not a number of seconds",
                "<dependency name=\"A\" requires=\"B\"/>                                                | no step or group A above",
                "<import file=\"${NONE}/x.xml\"/>                                                       | export NONE",
                "<step                                                                                  | s.xml",
            })
    void what_cannot_be_run_is_refused_by_name(String body, String message) {
        assertThatThrownBy(() -> read(body))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining(message);
    }

    @Test
    void entities_are_refused() {
        assertThatThrownBy(() -> {
                    Path file = folder.resolve("x.xml");
                    Files.writeString(
                            file, "<!DOCTYPE a [<!ENTITY e SYSTEM \"file:///etc/passwd\">]><scenario name=\"&e;\"/>");
                    ScenarioReader.read(file, Map.of());
                })
                .hasMessageContaining("DOCTYPE");
    }
}
