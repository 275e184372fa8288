// SPDX-License-Identifier: Apache-2.0
package org.sextant.northbound.rest;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.InputStream;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.DisplayNameGeneration;
import org.junit.jupiter.api.DisplayNameGenerator.ReplaceUnderscores;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.sextant.northbound.app.Notes;

/** Methods that an address does not have (RFC 9110, 9.1 and 15.5.6). */
@DisplayNameGeneration(ReplaceUnderscores.class)
class MethodsTest {
    private final Notes notes = new Notes();
    private final Client client = Client.of(notes);

    @AfterEach
    void close() {
        notes.close();
    }

    @ParameterizedTest
    @ValueSource(strings = {"TRACE", "CONNECT", "PROPFIND", "BREW", "PUT"})
    void the_answer_names_the_methods_that_the_address_has(String method) {
        Client.Answer answer = client.call(method, "notes", Map.of(), InputStream.nullInputStream());
        assertThat(answer.status()).isEqualTo(405);
        assertThat(answer.type()).isEqualTo("application/problem+json");
        assertThat(List.of(answer.allow().split(",\\s*")))
                .containsExactlyInAnyOrder("GET", "HEAD", "POST", "DELETE", "OPTIONS");
    }
}
