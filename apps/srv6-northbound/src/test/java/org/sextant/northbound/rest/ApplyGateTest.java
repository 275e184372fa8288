// SPDX-License-Identifier: Apache-2.0
package org.sextant.northbound.rest;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.Set;
import javax.ws.rs.ServiceUnavailableException;
import org.junit.jupiter.api.DisplayNameGeneration;
import org.junit.jupiter.api.DisplayNameGenerator.ReplaceUnderscores;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.sextant.core.access.Role;
import org.sextant.northbound.access.Permissions;

@DisplayNameGeneration(ReplaceUnderscores.class)
class ApplyGateTest {
    private final ApplyGate gate =
            new ApplyGate(new Permissions(Map.of()), Set.of(Role.ADMIN), () -> Set.of("flow", "policy"));

    @Test
    void a_kind_whose_app_is_not_there_yet_is_unavailable_and_another_is_unknown() {
        assertThatThrownBy(() -> gate.expect("flow"))
                .isInstanceOfSatisfying(
                        ServiceUnavailableException.class,
                        e -> assertThat(e.getResponse().getHeaderString("Retry-After"))
                                .isEqualTo("1"))
                .hasMessage("the app of kind flow is not there yet");
        gate.expect("flwo");
    }

    @Test
    void kinds_are_read_from_the_description_of_an_app(@TempDir Path folder) throws IOException {
        Path fragment = folder.resolve("openapi.json");
        Files.writeString(
                fragment,
                "{\"components\":{\"schemas\":{\"Document\":{\"discriminator\":{\"mapping\":{\"flow\":\"#\"}}}}}}");
        assertThat(AnnouncedKinds.kinds(fragment.toUri().toURL()).fieldNames())
                .toIterable()
                .containsExactly("flow");
        Files.writeString(fragment, "{}");
        assertThat(AnnouncedKinds.kinds(fragment.toUri().toURL()).fieldNames())
                .toIterable()
                .isEmpty();
    }
}
