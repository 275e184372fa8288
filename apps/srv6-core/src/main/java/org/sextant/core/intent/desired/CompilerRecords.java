// SPDX-License-Identifier: Apache-2.0
package org.sextant.core.intent.desired;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;
import org.sextant.core.intent.CompilerVersions;
import org.sextant.core.port.Store;

/**
 * The records about compiler versions in the store: the version in force, and the versions of each member. A record that cannot be
 * read counts as version 1, at every member alike.
 *
 * @param texts by key
 */
record CompilerRecords(SortedMap<String, String> texts) {
    static final String MAP = "compilers";
    static final String IN_FORCE = "in-force";
    private static final String MEMBER = "member/";
    private static final ObjectMapper MAPPER = new ObjectMapper();
    private static final String VERSION = "version";
    private static final String NUMBER = "number";

    CompilerRecords {
        texts = Collections.unmodifiableSortedMap(new TreeMap<>(texts));
    }

    CompilerRecords with(String key, Optional<String> now) {
        SortedMap<String, String> next = new TreeMap<>(texts);
        now.ifPresentOrElse(text -> next.put(key, text), () -> next.remove(key));
        return new CompilerRecords(next);
    }

    /** True if these are the records after a change. */
    boolean haveSeen(Store.Change change) {
        return change.value().equals(Optional.ofNullable(texts.get(change.key())));
    }

    /** The version in force; 1 as long as there is no record of it. */
    int inForce() {
        return decision().version();
    }

    /** @param number differs in each record, so that a condition on the text fails after any other write */
    private record InForce(int version, long number) {}

    private InForce decision() {
        String text = texts.get(IN_FORCE);
        try {
            JsonNode json = text == null ? MAPPER.missingNode() : MAPPER.readTree(text);
            int version = json.path(VERSION).asInt();
            return new InForce(Math.max(1, version), json.path(NUMBER).asLong());
        } catch (JsonProcessingException e) {
            return new InForce(1, 0);
        }
    }

    /** The versions that a member can compile; empty if it has no record. */
    Optional<CompilerVersions> versions(String member) {
        return Optional.ofNullable(texts.get(MEMBER + member)).map(CompilerRecords::parse);
    }

    private static CompilerVersions parse(String text) {
        return CompilerVersions.parse(text).orElse(CompilerVersions.FIRST);
    }

    private SortedMap<String, CompilerVersions> members() {
        SortedMap<String, CompilerVersions> members = new TreeMap<>();
        texts.tailMap(MEMBER).forEach((key, text) -> {
            if (key.startsWith(MEMBER)) {
                members.put(key.substring(MEMBER.length()), parse(text));
            }
        });
        return members;
    }

    /** True if the store has these versions of a member, or if there is no record and none is needed. */
    boolean isPublished(String member, CompilerVersions versions) {
        String text = texts.get(MEMBER + member);
        return text == null
                ? texts.isEmpty() && versions.equals(CompilerVersions.FIRST)
                : text.equals(versions.encode());
    }

    /** The versions by which each member counts, by member id: those that are listed, and those that have a record. */
    SortedMap<String, CompilerVersions> counted(Set<String> listed) {
        SortedMap<String, CompilerVersions> counted = members();
        listed.forEach(member -> counted.putIfAbsent(member, CompilerVersions.FIRST));
        return counted;
    }

    /** The newest version that all members can compile, or would have to. */
    int agreed(Set<String> listed) {
        return counted(listed).values().stream()
                .mapToInt(CompilerVersions::newest)
                .min()
                .orElse(CompilerVersions.FIRST.newest());
    }

    /** Publishes the versions of a member, and lowers the version in force to its newest, in one commit. */
    List<Store.Write> publish(String member, CompilerVersions versions) {
        return List.of(write(MEMBER + member, versions.encode()), decide(Math.min(inForce(), versions.newest())));
    }

    Store.Write decide(int version) {
        return write(
                IN_FORCE,
                MAPPER.createObjectNode()
                        .put(VERSION, version)
                        .put(NUMBER, decision().number() + 1)
                        .toString());
    }

    /** Removes the records of members that are not listed. */
    List<Store.Write> tidy(Set<String> listed) {
        List<Store.Write> writes = new ArrayList<>();
        texts.tailMap(MEMBER).forEach((key, text) -> {
            if (key.startsWith(MEMBER) && !listed.contains(key.substring(MEMBER.length()))) {
                writes.add(Store.Write.delete(MAP, key, text));
            }
        });
        return writes;
    }

    private Store.Write write(String key, String text) {
        @Nullable String known = texts.get(key);
        return known == null ? Store.Write.create(MAP, key, text) : Store.Write.replace(MAP, key, known, text);
    }
}
