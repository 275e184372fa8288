// SPDX-License-Identifier: Apache-2.0
package org.sextant.northbound.audit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Clock;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.DisplayNameGeneration;
import org.junit.jupiter.api.DisplayNameGenerator.ReplaceUnderscores;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.sextant.core.access.Role;
import org.sextant.core.intent.IntentRef;
import org.sextant.core.intent.StoredChange;
import org.sextant.northbound.access.Caller;

@DisplayNameGeneration(ReplaceUnderscores.class)
class AuditLogTest {
    private static final Caller ADMIN = new Caller("admin", Set.of(Role.ADMIN), Caller.How.PASSWORD, "192.0.2.1");
    private static final AuditLogQuery ALL =
            new AuditLogQuery(Optional.empty(), Optional.empty(), Optional.empty(), Optional.empty(), 1000, 1000);

    @TempDir
    private Path folder;

    private final List<ObjectNode> copies = new ArrayList<>();

    private AuditLogSettings settings(long maxBytes, int maxFiles) {
        return new AuditLogSettings(
                folder.resolve("audit"), folder.resolve("etc/audit.key"), maxBytes, maxFiles, Optional.empty());
    }

    private AuditLog open() {
        return open(settings(1 << 20, 4));
    }

    private AuditLog open(AuditLogSettings settings) {
        return new AuditLog(
                settings, Clock.fixed(Instant.parse("2026-11-23T02:00:00.005Z"), ZoneOffset.UTC), copies::add);
    }

    private static AuditRecord post(String id) {
        AuditRecord deed = AuditRecord.change(ADMIN, "rest", "POST", "policies");
        deed.changed(new StoredChange(new IntentRef("policy", id), Optional.empty(), Optional.of("{\"a\":1}")));
        return deed;
    }

    private static void done(AuditLog trail, String id) {
        AuditRecord deed = post(id);
        trail.begin(deed);
        trail.end(deed, Outcome.DONE, 201);
    }

    private List<Path> files() throws IOException {
        try (Stream<Path> all = Files.list(folder.resolve("audit"))) {
            return all.filter(file -> file.toString().endsWith(".jsonl"))
                    .sorted()
                    .toList();
        }
    }

    private List<String> lines() throws IOException {
        List<String> lines = new ArrayList<>();
        for (Path file : files()) {
            lines.addAll(Files.readAllLines(file));
        }
        return lines;
    }

    /** The content of the line that a start adds. */
    private JsonNode restarted() throws IOException {
        open().close();
        List<String> lines = lines();
        return new ObjectMapper().readTree(lines.get(lines.size() - 1));
    }

    @Test
    void a_change_is_told_with_who_what_where_from_before_and_after() throws IOException {
        try (AuditLog trail = open()) {
            done(trail, "gold");
            JsonNode line = trail.read(ALL).get(0);
            assertThat(line.toString())
                    .startsWith("{\"seq\":3,\"prev\":\"")
                    .contains("\"time\":\"2026-11-23T02:00:00.005Z\",\"event\":\"change\",\"request\":\"")
                    .contains("\"user\":\"admin\",\"roles\":[\"admin\"],\"how\":\"password\",\"from\":\"192.0.2.1\","
                            + "\"by\":\"rest\",\"method\":\"POST\",\"resource\":\"policies\","
                            + "\"outcome\":\"done\",\"status\":201,\"changes\":{\"count\":1,\"digest\":\"")
                    // printf '{"a":1}' | sha256sum
                    .contains("\"items\":[{\"intent\":\"policy/gold\",\"after\":"
                            + "\"015abd7f5cc57a2dd94b7590f04ad8084273905ee33ec5cebeae62276a97f862\"}]");
        }
        assertThat(copies).hasSize(2);
    }

    @Test
    void each_line_has_the_hash_of_the_one_before_over_the_borders_of_files() throws IOException {
        try (AuditLog trail = open(settings(2000, 100))) {
            for (int i = 0; i < 20; i++) {
                done(trail, "p" + i);
            }
        }
        assertThat(files()).hasSizeGreaterThan(3);
        List<Chain.Link> links =
                lines().stream().map(line -> Chain.read(line).orElseThrow()).toList();
        assertThat(links.get(0).prev()).isEqualTo(Chain.NOTHING);
        for (int i = 1; i < links.size(); i++) {
            assertThat(links.get(i).prev()).isEqualTo(links.get(i - 1).hash());
            assertThat(links.get(i).seq()).isEqualTo(i + 1);
        }
        assertThat(restarted().at("/event").asText()).isEqualTo("start");
    }

    @Test
    void the_oldest_files_go_and_that_is_no_cut() throws IOException {
        try (AuditLog trail = open(settings(2000, 3))) {
            for (int i = 0; i < 50; i++) {
                done(trail, "p" + i);
            }
            assertThat(trail.read(ALL)).isNotEmpty();
        }
        assertThat(files()).hasSize(3);
        assertThat(restarted().at("/event").asText()).isEqualTo("start");
    }

    private void restartTells(String expected) throws IOException {
        JsonNode line = restarted();
        assertThat(line.at("/event").asText()).isEqualTo("chain");
        assertThat(line.at("/prev").asText()).isEqualTo(Chain.NOTHING);
        assertThat(line.at("/because").toString()).contains(expected);
        // It is reported once; then the new chain goes on.
        assertThat(restarted().at("/event").asText()).isEqualTo("start");
    }

    private void threeChanges() {
        try (AuditLog trail = open()) {
            done(trail, "a");
            done(trail, "b");
            done(trail, "c");
        }
    }

    @Test
    void an_edited_line_begins_a_new_chain_that_says_so() throws IOException {
        threeChanges();
        Path file = files().get(0);
        Files.writeString(file, Files.readString(file).replaceFirst("policy/b", "policy/x"));
        restartTells("trail-000000000001.jsonl, line 5: the line is not as it was written");
    }

    @Test
    void an_edited_line_with_a_hash_of_its_own_is_seen_too() throws IOException {
        threeChanges();
        List<String> lines = lines();
        String open = lines.get(4).replace("policy/b", "policy/x");
        open = open.substring(0, open.indexOf(",\"hash\""));
        lines.set(4, open + ",\"hash\":\"" + Chain.sha256(open) + "\"}");
        Files.write(files().get(0), lines);
        restartTells("line 6 does not follow line 5");
    }

    @Test
    void a_missing_line_is_seen() throws IOException {
        threeChanges();
        List<String> lines = lines();
        lines.remove(3);
        Files.write(files().get(0), lines);
        restartTells("line 5 does not follow line 3");
    }

    @Test
    void lines_that_were_cut_off_the_end_are_seen() throws IOException {
        threeChanges();
        Files.write(files().get(0), lines().subList(0, 5));
        restartTells("line 7, which was the last one, is missing; the files end with line 5");
    }

    @Test
    void files_that_are_gone_are_seen() throws IOException {
        threeChanges();
        Files.delete(files().get(0));
        restartTells("line 7, which was the last one, is missing");
    }

    @Test
    void a_first_file_that_is_gone_is_seen() throws IOException {
        try (AuditLog trail = open(settings(2000, 100))) {
            for (int i = 0; i < 10; i++) {
                done(trail, "p" + i);
            }
        }
        Files.delete(files().get(0));
        restartTells("are missing at the beginning");
    }

    @Test
    void a_head_of_somebody_elses_is_seen() throws IOException {
        threeChanges();
        Path head = folder.resolve("audit/trail.head");
        Files.writeString(
                head, new Head(1, 5, Chain.read(lines().get(4)).orElseThrow().hash()).text(new byte[32]));
        Files.write(files().get(0), lines().subList(0, 5));
        restartTells("trail.head, which says where the trail ends, is not as it was written: it was not made with");
    }

    @Test
    void a_chain_that_somebody_else_began_hides_nothing() throws IOException {
        threeChanges();
        Path file = files().get(0);
        String open = "{\"seq\":8,\"prev\":\"" + Chain.NOTHING + "\",\"event\":\"chain\"";
        Files.writeString(
                file,
                Files.readString(file).replaceFirst("policy/b", "policy/x") + open + ",\"hash\":\"" + Chain.sha256(open)
                        + "\"}\n");
        restartTells("line 5: the line is not as it was written");
    }

    @Test
    void a_new_chain_fixes_the_lines_that_it_found() throws IOException {
        threeChanges();
        Path file = files().get(0);
        Files.writeString(file, Files.readString(file).replaceFirst("policy/b", "policy/x"));
        JsonNode chain = restarted();
        List<String> lines = lines();
        assertThat(chain.at("/bound").toString())
                .isEqualTo("[{\"seq\":4,\"hash\":\""
                        + Chain.read(lines.get(3)).orElseThrow().hash() + "\"},{\"seq\":7,\"hash\":\""
                        + Chain.read(lines.get(6)).orElseThrow().hash() + "\"}]");
        // A line before the new chain, with hashes of its own from there to the break.
        List<String> rewritten = new ArrayList<>(lines.subList(0, 7));
        String before = Chain.read(lines.get(0)).orElseThrow().hash();
        for (int i = 1; i < 4; i++) {
            ObjectNode line = (ObjectNode) new ObjectMapper().readTree(rewritten.get(i));
            line.remove("hash");
            line.put("prev", before);
            if (i == 2) {
                line.put("user", "mallory");
            }
            rewritten.set(i, Chain.seal(line));
            before = Chain.read(rewritten.get(i)).orElseThrow().hash();
        }
        Files.write(file, rewritten);
        restartTells("line 1: the lines before this chain are not those that it found: look at line 4");
    }

    @Test
    void a_break_that_is_made_in_the_lines_before_a_new_chain_is_seen() throws IOException {
        threeChanges();
        Files.delete(folder.resolve("audit/trail.head"));
        restartTells("trail.head, which says where the trail ends, is missing");
        Path file = files().get(0);
        Files.writeString(file, Files.readString(file).replaceFirst("policy/b", "policy/x"));
        restartTells("the lines before this chain are not those that it found");
    }

    @Test
    void the_hole_that_a_power_cut_leaves_behind_the_head_is_a_torn_end() throws IOException {
        threeChanges();
        byte[] head = Files.readAllBytes(folder.resolve("audit/trail.head"));
        open().close();
        open().close();
        Files.write(folder.resolve("audit/trail.head"), head);
        Path file = files().get(0);
        List<String> lines = lines();
        lines.set(7, "\0".repeat(lines.get(7).length()));
        Files.write(file, lines);
        JsonNode line = restarted();
        assertThat(line.at("/event").asText()).isEqualTo("start");
        assertThat(line.at("/seq").asInt()).isEqualTo(8);
        assertThat(line.at("/unfinishedBytes").asInt()).isGreaterThan(200);
        assertThat(restarted().at("/event").asText()).isEqualTo("start");
    }

    @Test
    void the_head_names_no_line_that_is_not_durable() throws IOException {
        try (AuditLog trail = open()) {
            done(trail, "a");
            long named = head().at("/last").asLong();
            trail.begin(post("b"));
            assertThat(named).isEqualTo(3);
            assertThat(head().at("/last").asLong()).isEqualTo(4);
        }
    }

    private JsonNode head() throws IOException {
        return new ObjectMapper().readTree(Files.readString(folder.resolve("audit/trail.head")));
    }

    @Test
    void a_key_that_a_power_cut_emptied_is_named_and_not_used() throws IOException {
        Files.createDirectories(folder.resolve("etc"));
        Files.writeString(folder.resolve("etc/audit.key"), "");
        try (AuditLog trail = open()) {
            assertThatThrownBy(() -> trail.begin(post("a")))
                    .hasMessageContaining("holds no key of 64 hexadecimal digits");
        }
    }

    @Test
    void anchors_name_the_end_when_there_is_a_new_one() throws IOException {
        AuditLogSettings settings = new AuditLogSettings(
                folder.resolve("audit"),
                folder.resolve("etc/audit.key"),
                1 << 20,
                4,
                Optional.empty(),
                Optional.of(folder.resolve("elsewhere/anchors")),
                1440);
        List<String> sent = new ArrayList<>();
        try (AuditLog trail = open(settings)) {
            Anchors anchors = new Anchors(trail, settings, line -> sent.add(line.toString()));
            done(trail, "a");
            done(trail, "b");
            anchors.close();
        }
        List<String> anchors = Files.readAllLines(folder.resolve("elsewhere/anchors"));
        List<String> lines = lines();
        assertThat(anchors).isEqualTo(sent);
        JsonNode last = new ObjectMapper().readTree(sent.get(sent.size() - 1));
        assertThat(last.at("/seq").asLong()).isEqualTo(5);
        assertThat(last.at("/hash").asText())
                .isEqualTo(Chain.read(lines.get(4)).orElseThrow().hash());
    }

    @Test
    void a_line_that_a_power_loss_tore_is_taken_off_and_told() throws IOException {
        threeChanges();
        Path file = files().get(0);
        Files.writeString(file, Files.readString(file) + "{\"seq\":8,\"pr");
        JsonNode line = restarted();
        assertThat(line.at("/event").asText()).isEqualTo("start");
        assertThat(line.at("/unfinishedBytes").asInt()).isEqualTo(12);
        assertThat(restarted().at("/event").asText()).isEqualTo("start");
    }

    @Test
    void what_a_kill_left_between_line_and_head_is_told() throws IOException {
        threeChanges();
        Path head = folder.resolve("audit/trail.head");
        byte[] before = Files.readAllBytes(head);
        open().close();
        Files.write(head, before);
        assertThat(restarted().at("/behindHead").asInt()).isEqualTo(1);
    }

    @Test
    void what_began_and_never_ended_is_unknown_and_what_ended_is_told_once() throws IOException {
        try (AuditLog trail = open()) {
            trail.begin(post("lost"));
            done(trail, "gold");
        }
        try (AuditLog trail = open()) {
            assertThat(trail.read(ALL))
                    .extracting(line -> line.path("event").asText() + " "
                            + line.path("outcome").asText())
                    .containsExactly("start ", "change done", "begun unknown", "chain ");
        }
    }

    @Test
    void lines_are_found_by_user_resource_outcome_and_page() throws IOException {
        try (AuditLog trail = open()) {
            done(trail, "a");
            AuditRecord denied = AuditRecord.change(
                    new Caller("eve", Set.of(), Caller.How.PASSWORD, ""), "rest", "DELETE", "policies/a");
            trail.end(denied, Outcome.of(403), 403);
            trail.end(AuditRecord.change(ADMIN, "shell", "audit", "audit"), Outcome.DONE, 0);
            assertThat(found(trail, "eve", null, null, null, null)).containsExactly("policies/a");
            assertThat(found(trail, null, "policies", null, null, null)).containsExactly("policies/a", "policies");
            assertThat(found(trail, null, null, "denied", null, null)).containsExactly("policies/a");
            assertThat(found(trail, null, null, null, "1", "5")).containsExactly("policies/a");
            assertThat(found(trail, null, null, null, "1", "4")).containsExactly("policies");
        }
        assertThatThrownBy(() -> AuditLogQuery.parse(null, "yesterday", null, null, null, null))
                .hasMessageContaining("\"yesterday\" is not a time in UTC");
        assertThatThrownBy(() -> AuditLogQuery.parse(null, null, null, "good", null, null))
                .hasMessageContaining("\"good\" is not an outcome");
    }

    private static List<String> found(
            AuditLog trail, String user, String resource, String outcome, String limit, String after) {
        return trail.read(AuditLogQuery.parse(user, null, resource, outcome, limit, after)).stream()
                .map(line -> line.path("resource").asText())
                .toList();
    }

    @Test
    void strangers_do_not_push_others_out() {
        try (AuditLog trail = open()) {
            for (int i = 0; i < 1000; i++) {
                trail.stranger(
                        AuditRecord.login(new Caller("admin", Set.of(), Caller.How.PASSWORD, "192.0.2.9"), "rest"),
                        401);
            }
            assertThat(trail.read(ALL).size()).isBetween(30, 60);
        }
    }

    @Test
    void what_is_long_stays_a_line_of_its_own() throws IOException {
        try (AuditLog trail = open()) {
            AuditRecord deed = AuditRecord.change(
                    new Caller("a\nb\"\u2028" + "x".repeat(5000), Set.of(), Caller.How.PASSWORD, ""),
                    "rest",
                    "POST",
                    "p\n{}");
            for (int i = 0; i < 100_000; i++) {
                deed.changed(new StoredChange(
                        new IntentRef("policy", "p" + i), Optional.of("{}"), Optional.of("{\"a\":" + i + "}")));
            }
            trail.end(deed, Outcome.DONE, 201);
        }
        assertThat(lines()).hasSize(2);
        JsonNode line = new ObjectMapper().readTree(lines().get(1));
        assertThat(line.at("/changes/count").asInt()).isEqualTo(100_000);
        assertThat(line.at("/changes/items").size()).isEqualTo(20);
        assertThat(lines().get(1).length()).isLessThan(6000);
        assertThat(restarted().at("/event").asText()).isEqualTo("start");
    }

    @Test
    void a_thread_that_is_interrupted_closes_nothing() {
        try (AuditLog trail = open()) {
            Thread.currentThread().interrupt();
            done(trail, "a");
            assertThat(Thread.interrupted()).isTrue();
            done(trail, "b");
            assertThat(trail.read(ALL)).hasSize(3);
        }
    }

    @Test
    void files_and_key_are_their_owners_only() throws IOException {
        open().close();
        for (Path file : List.of(files().get(0), folder.resolve("audit/trail.head"), folder.resolve("etc/audit.key"))) {
            assertThat(Files.getPosixFilePermissions(file)).isEqualTo(PosixFilePermissions.fromString("rw-------"));
        }
    }

    @Test
    void a_folder_that_cannot_be_is_told_and_nothing_may_be_changed() throws IOException {
        Files.writeString(folder.resolve("audit"), "in the way");
        try (AuditLog trail = open()) {
            assertThatThrownBy(() -> trail.begin(post("a")))
                    .isInstanceOf(AuditLogUnavailableException.class)
                    .hasMessageContaining("cannot be written");
            Files.delete(folder.resolve("audit"));
            done(trail, "a");
            assertThat(trail.read(ALL)).hasSize(2);
        }
    }

    /** A process that may not write large files: the answer of a full disk. */
    @Test
    void a_full_disk_refuses_changes_and_the_files_stay_whole() throws Exception {
        Process process = new ProcessBuilder(
                        "sh",
                        "-c",
                        "ulimit -f 16 && exec \"$0\" \"$@\"",
                        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                        "-Xshare:auto",
                        "-XX:-UsePerfData",
                        "-cp",
                        System.getProperty("java.class.path"),
                        FullAuditLog.class.getName(),
                        folder.toString())
                .redirectErrorStream(true)
                .start();
        String said = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        assertThat(process.waitFor(30, TimeUnit.SECONDS)).isTrue();
        assertThat(said)
                .contains("audit trail in")
                .contains("cannot be written")
                .contains("make room there");
        int acknowledged = Integer.parseInt(said.strip().replaceAll("(?s).*\\s", ""));
        assertThat(acknowledged).isGreaterThan(2);
        assertThat(restarted().at("/event").asText()).isEqualTo("start");
        try (AuditLog trail = open()) {
            assertThat(trail.read(AuditLogQuery.parse(null, null, "policies", "done", "1000", null)))
                    .hasSizeBetween(
                            acknowledged - 1, acknowledged); // of the last one only the beginning may have had room
        }
    }
}
