// SPDX-License-Identifier: Apache-2.0
package org.sextant.sera;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.DisplayNameGeneration;
import org.junit.jupiter.api.DisplayNameGenerator.ReplaceUnderscores;
import org.junit.jupiter.api.Test;

@DisplayNameGeneration(ReplaceUnderscores.class)
class VersionedTest {
    private static final String RULE = "{'protocol': 'udp', 'action': 'drop'}";

    @Test
    void other_labels_make_no_version() {
        Firewall labeled = Sera.decoded(", 'labels': {'app': 'web'}", RULE);
        Versioned before = Versioned.first(Sera.decoded("", RULE), "");
        Versioned after = Versioned.first(labeled, "").following(before);
        assertThat(after.version()).isEqualTo(1);
        assertThat(after.firewall()).isEqualTo(labeled);
    }
}
