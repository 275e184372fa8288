// SPDX-License-Identifier: Apache-2.0
package org.sextant.northbound.rest;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayInputStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.DisplayNameGeneration;
import org.junit.jupiter.api.DisplayNameGenerator.ReplaceUnderscores;
import org.junit.jupiter.api.Test;
import org.sextant.core.port.Backups.Backup;
import org.sextant.core.port.StoreUnavailableException;

@DisplayNameGeneration(ReplaceUnderscores.class)
class StoreResourceTest {
    private static final byte[] COPY = "{\"as\": \"it was made\"}".getBytes(StandardCharsets.UTF_8);

    private final StoreResource resource = new StoreResource();
    private final Client admin = Client.of(resource);
    private final List<Set<String>> leftOut = new ArrayList<>();
    private boolean closed;

    private Backup copy(Set<String> without) {
        leftOut.add(without);
        return new Backup(
                new ByteArrayInputStream(COPY) {
                    @Override
                    public void close() {
                        closed = true;
                    }
                },
                COPY.length);
    }

    @Test
    void the_copy_goes_to_the_client_without_tokens_and_is_given_back() {
        resource.backups = this::copy;
        Client.Answer answer = admin.post("store/backups", "");
        assertThat(answer.status()).isEqualTo(200);
        assertThat(answer.type()).isEqualTo("application/vnd.sqlite3");
        assertThat(answer.bytes()).isEqualTo(COPY.length);
        assertThat(leftOut).containsExactly(Set.of("access-tokens", "access-token-uses"));
        assertThat(closed).isTrue();
    }

    @Test
    void only_an_administrator_gets_it() {
        resource.backups = this::copy;
        for (String role : List.of("viewer", "operator", "security")) {
            assertThat(admin.as(role).post("store/backups", "").status())
                    .as(role)
                    .isEqualTo(403);
        }
        assertThat(leftOut).isEmpty();
    }

    @Test
    void a_host_whose_platform_keeps_the_store_answers_501_with_the_reason() {
        Client.Answer answer = admin.post("store/backups", "");
        assertThat(answer.status()).isEqualTo(501);
        assertThat(answer.type()).isEqualTo("application/problem+json");
        assertThat(answer.json().get("detail").asText()).contains("ONOS", "by their own means");
    }

    @Test
    void a_store_that_cannot_be_copied_is_503_with_its_reason_and_the_next_call_is_served() {
        resource.backups = without -> {
            throw new StoreUnavailableException("a copy needs 5 KiB of room beside it, and 4 KiB are there");
        };
        for (int attempt = 0; attempt < 3; attempt++) {
            Client.Answer answer = admin.post("store/backups", "");
            assertThat(answer.status()).isEqualTo(503);
            assertThat(answer.json().get("detail").asText()).contains("4 KiB are there");
        }
        resource.backups = this::copy;
        assertThat(admin.post("store/backups", "").status()).isEqualTo(200);
    }
}
