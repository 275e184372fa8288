// SPDX-License-Identifier: Apache-2.0
package org.sextant.karaf.itest;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * The permissions of roles, written down a second time, and compared with every operation of the OpenAPI and every
 * command of the shell. One that is in no row fails: add its role here.
 */
final class RoleMatrix {
    static final List<String> ROLES = List.of("viewer", "operator", "security", "admin");

    private static final Map<String, Set<String>> MAY = Map.of(
            "viewer", Set.of("viewer", "operator", "security", "admin"),
            "operator", Set.of("operator", "admin"),
            "security", Set.of("security", "admin"),
            "admin", Set.of("admin"),
            "a kind's", Set.of("operator", "security", "admin"));

    /** The role that may change an address, by its first word; words that no role may change have none. */
    private static final Map<String, String> CHANGED_BY = Map.ofEntries(
            Map.entry("policies", "operator"),
            Map.entry("livelive", "operator"),
            Map.entry("slices", "operator"),
            Map.entry("firewalls", "security"),
            Map.entry("edge", "security"),
            Map.entry("apply", "a kind's"),
            Map.entry("audit", "admin"),
            Map.entry("users", "admin"),
            Map.entry("store", "admin"),
            Map.entry("tokens", "viewer"),
            Map.entry("nodes", ""),
            Map.entry("entries", ""),
            Map.entry("topology", ""),
            Map.entry("cluster", ""),
            Map.entry("protection", ""),
            Map.entry("bandwidth", ""),
            Map.entry("history", ""),
            Map.entry("events", ""),
            Map.entry("log", ""),
            Map.entry("metrics", ""),
            Map.entry("session", ""),
            Map.entry("health", ""),
            Map.entry("version", ""),
            Map.entry("gtp", ""),
            Map.entry("openapi.json", ""));

    /** Operations that are no change though they are no GET. */
    private static final Set<String> READS = Set.of("post /gtp/explain", "post /firewalls/{id}/trace");

    /** Operations that return more than every role may know. */
    private static final Map<String, String> SECRETS = Map.of("get /users", "admin", "get /audit", "security");

    /** Commands, by how they begin. */
    private static final Map<String, String> COMMANDS_OF = Map.of(
            "policy", "operator",
            "livelive", "operator",
            "slice", "operator",
            "session", "operator",
            "firewall", "security",
            "edge", "security",
            "user", "admin");

    private static final Set<String> CHANGES =
            Set.of("add", "remove", "import", "rollback", "probe", "password", "set");
    private static final Map<String, String> FOR_SOME =
            Map.of("audit", "admin", "audit-trail", "security", "users", "admin");
    private static final Set<String> FOR_ALL = Set.of(
            "help",
            "nodes",
            "node",
            "topology",
            "cluster",
            "protection",
            "bandwidth",
            "history",
            "script",
            "log",
            "entries",
            "policies",
            "gtp-explain");

    private RoleMatrix() {}

    /** One call as a role; the status of its answer. */
    interface Caller {
        int status(String role, String method, String path, String type);
    }

    static void operations(JsonNode openApi, Caller caller) {
        List<String> wrong = new ArrayList<>();
        int operations = 0;
        for (Map.Entry<String, JsonNode> path : openApi.get("paths").properties()) {
            for (Map.Entry<String, JsonNode> method : path.getValue().properties()) {
                operations++;
                operation(path.getKey(), method.getKey(), method.getValue(), caller, wrong);
            }
        }
        assertThat(wrong).isEmpty();
        assertThat(operations).isGreaterThan(30);
    }

    private static void operation(String path, String method, JsonNode about, Caller caller, List<String> wrong) {
        Set<String> may = MAY.get(needed(path, method));
        Iterator<String> types = about.at("/requestBody/content").fieldNames();
        String type = types.hasNext() ? types.next() : "";
        for (String role : ROLES) {
            int status = caller.status(
                    role, method.toUpperCase(java.util.Locale.ROOT), path.replaceAll("\\{[^}]*}", "no-such"), type);
            if ((status != 403) != may.contains(role) || status == 401 || status == 500) {
                wrong.add(method + " " + path + " as " + role + ": " + status);
            }
        }
    }

    private static String needed(String path, String method) {
        String called = method + " " + path;
        String first = path.split("/")[1];
        assertThat(CHANGED_BY).as("who changes " + path).containsKey(first);
        if (SECRETS.containsKey(called)) {
            return SECRETS.get(called);
        }
        return method.equals("get") || READS.contains(called) ? "viewer" : CHANGED_BY.get(first);
    }

    /** @param lists the output of srv6:help --json for each role */
    static void commands(Map<String, String> lists) throws IOException {
        List<String> all = names(lists.get("admin"));
        assertThat(all).hasSizeGreaterThan(30);
        for (String role : ROLES) {
            assertThat(names(lists.get(role)))
                    .as(role)
                    .containsExactlyElementsOf(all.stream()
                            .filter(name -> MAY.get(neededBy(name)).contains(role))
                            .toList());
        }
    }

    private static List<String> names(String help) throws IOException {
        return new ObjectMapper()
                .readTree(help).findValuesAsText("name").stream()
                        .map(name -> name.substring("srv6:".length()))
                        .toList();
    }

    private static String neededBy(String command) {
        if (FOR_ALL.contains(command)) {
            return "viewer";
        }
        if (FOR_SOME.containsKey(command)) {
            return FOR_SOME.get(command);
        }
        String first = command.split("-")[0];
        String kind = first.length() > 4 && first.endsWith("s") ? first.substring(0, first.length() - 1) : first;
        assertThat(COMMANDS_OF).as("for whom srv6:" + command + " is").containsKey(kind);
        String last = command.substring(command.lastIndexOf('-') + 1);
        return CHANGES.contains(last) ? COMMANDS_OF.get(kind) : "viewer";
    }
}
