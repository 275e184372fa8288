// SPDX-License-Identifier: Apache-2.0
package org.sextant.northbound.apply;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.core.JsonGenerator;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.io.StringWriter;
import org.junit.jupiter.api.DisplayNameGeneration;
import org.junit.jupiter.api.DisplayNameGenerator.ReplaceUnderscores;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

@DisplayNameGeneration(ReplaceUnderscores.class)
class DifferenceTest {
    private final ObjectMapper mapper = new ObjectMapper();

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '"',
            value = {
                "{'a':1}                       | {'a':1}                 | ''",
                "{'a':1,'b':[1]}               | {'b':[1],'a':1}         | ''",
                "{'a':1}                       | {'a':2}                 | {'field':'/s/a','old':1,'new':2}",
                "{'a':1}                       | {'a':'1'}               | {'field':'/s/a','old':1,'new':'1'}",
                "{}                            | {'a':{'b':1}}           | {'field':'/s/a','new':{'b':1}}",
                "{'a':{'b':1}}                 | {}                      | {'field':'/s/a','old':{'b':1}}",
                "{'a':{'b':1,'c':2}}           | {'a':{'b':3,'c':2}}     | {'field':'/s/a/b','old':1,'new':3}",
                "{'a':{'b':1}}                 | {'a':[1]}               | {'field':'/s/a','old':{'b':1},'new':[1]}",
                "{'x/y~z':1}                   | {'x/y~z':2}             | {'field':'/s/x~1y~0z','old':1,'new':2}",
                "{'a':[1,2,3]}                 | {'a':[1,4,3]}           | {'field':'/s/a/1','old':2,'new':4}",
                "{'a':[{'b':1},{'b':2}]}       | {'a':[{'b':1},{'b':3}]} | {'field':'/s/a/1/b','old':2,'new':3}",
                "{'a':[1,3]}                   | {'a':[1,2,3]}           | {'field':'/s/a/1','new':2}",
                "{'a':[1,2,3]}                 | {'a':[1,3]}             | {'field':'/s/a/1','old':2}",
                "{'a':[1,1]}                   | {'a':[1,1,1]}           | {'field':'/s/a/2','new':1}",
                "{'a':[1,2,3]}                 | {'a':[4,3]}             | {'field':'/s/a/0','old':1}{'field':'/s/a/1','old':2}{'field':'/s/a/0','new':4}",
                "{'a':[1]}                     | {'a':[]}                | {'field':'/s/a/0','old':1}",
            })
    void the_smallest_parts_that_differ_are_found(String before, String after, String found) throws IOException {
        StringWriter text = new StringWriter();
        try (JsonGenerator json = mapper.getFactory().createGenerator(text)) {
            json.setRootValueSeparator(null);
            for (Difference difference : Difference.between("/s", json(before), json(after))) {
                difference.write(json);
            }
        }
        assertThat(text.toString().replace('"', '\'')).isEqualTo(found.equals("''") ? "" : found);
    }

    private JsonNode json(String text) throws IOException {
        return mapper.readTree(text.replace('\'', '"'));
    }
}
