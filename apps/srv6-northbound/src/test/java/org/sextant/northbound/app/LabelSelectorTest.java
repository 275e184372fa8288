// SPDX-License-Identifier: Apache-2.0
package org.sextant.northbound.app;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import org.junit.jupiter.api.DisplayNameGeneration;
import org.junit.jupiter.api.DisplayNameGenerator.ReplaceUnderscores;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.sextant.core.ProblemException;

@DisplayNameGeneration(ReplaceUnderscores.class)
class LabelSelectorTest {

    @ParameterizedTest
    @CsvSource(
            delimiter = ';',
            value = {
                "app=web; true", "app==web; true", "app=db; false", "app!=db; true", "app!=web; false", "app; true",
                "!app; false", "no; false", "!no; true", "no!=web; true", "app=web, !no; true", "app,no; false"
            })
    void requirements_are_those_of_kubernetes(String selector, boolean matches) {
        ObjectNode intent = JsonNodeFactory.instance.objectNode();
        intent.putObject("labels").put("app", "web");
        assertThat(LabelSelector.parse(selector).matches(intent)).isEqualTo(matches);
    }

    @ParameterizedTest
    @ValueSource(strings = {"", ",", "a,", "=b", "!a=b", "a=b=c", "a=-", "!!a", "a b"})
    void others_are_refused(String selector) {
        assertThatThrownBy(() -> LabelSelector.parse(selector)).isInstanceOf(ProblemException.class);
    }
}
