// SPDX-License-Identifier: Apache-2.0
package org.sextant.core.intent.desired;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.DisplayNameGeneration;
import org.junit.jupiter.api.DisplayNameGenerator;
import org.junit.jupiter.api.Test;
import org.sextant.core.intent.CompilerVersions;
import org.sextant.core.port.Store.Write;

@DisplayNameGeneration(DisplayNameGenerator.ReplaceUnderscores.class)
class CompilerRecordsTest {
    private static final String IN_FORCE = "{\"version\":2,\"number\":7}";

    @Test
    void an_older_member_publishes_and_lowers_the_version_in_one_commit() {
        CompilerRecords records = new CompilerRecords(new TreeMap<>(Map.of("in-force", IN_FORCE)));
        assertThat(records.publish("c3", new CompilerVersions(1, 1)))
                .containsExactly(
                        Write.create("compilers", "member/c3", "{\"oldest\":1,\"newest\":1}"),
                        Write.replace("compilers", "in-force", IN_FORCE, "{\"version\":1,\"number\":8}"));
    }

    @Test
    void a_newer_member_publishes_and_raises_nothing() {
        CompilerRecords records = new CompilerRecords(new TreeMap<>(Map.of("in-force", IN_FORCE)));
        assertThat(records.publish("c3", new CompilerVersions(2, 3)))
                .containsExactly(
                        Write.create("compilers", "member/c3", "{\"oldest\":2,\"newest\":3}"),
                        Write.replace("compilers", "in-force", IN_FORCE, "{\"version\":2,\"number\":8}"));
    }
}
