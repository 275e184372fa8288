// SPDX-License-Identifier: Apache-2.0
package org.sextant.northbound.audit;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import java.util.Optional;
import java.util.UUID;
import org.sextant.core.access.Role;
import org.sextant.core.intent.StoredChange;
import org.sextant.northbound.access.Caller;

/**
 * One action of a caller: a request or a command. The count of its changes is kept, the first few with the digests of
 * the store's values before and after, and one digest over all of them; of bodies, parameters and answers nothing.
 */
public final class AuditRecord {
    /** Longer lists contain their beginning, and one digest of all. */
    private static final int MOST_ITEMS = 20;

    private static final int MOST_CHARACTERS = 200;
    private static final String CHANGE = "change";
    private static final String DRY_RUN = "dryRun";

    private final String event;
    private final String request = UUID.randomUUID().toString();
    private final Caller caller;
    private final String by;
    private final String method;
    private final String resource;
    private final ArrayNode items = JsonNodeFactory.instance.arrayNode();
    private final MessageDigest all = sha256();
    private int changes;

    private AuditRecord(String event, Caller caller, String by, String method, String resource) {
        this.event = event;
        this.caller = caller;
        this.by = by;
        this.method = method;
        this.resource = resource;
    }

    /**
     * A change, or the attempt of one that is refused.
     *
     * @param by rest or shell
     * @param method of HTTP, or the command
     * @param resource the subject: an address below /srv6, without parameters
     */
    public static AuditRecord change(Caller caller, String by, String method, String resource) {
        return new AuditRecord(CHANGE, caller, by, method, resource);
    }

    /** As {@link #change}, of a dry run: it counts as a change only if it made one. */
    public static AuditRecord dryRun(Caller caller, String by, String method, String resource) {
        return new AuditRecord(DRY_RUN, caller, by, method, resource);
    }

    /** A secret is read. */
    public static AuditRecord read(Caller caller, String by, String method, String resource) {
        return new AuditRecord("read", caller, by, method, resource);
    }

    /** A login that failed, or, at an issuer's page, one that did not. */
    public static AuditRecord login(Caller caller, String by) {
        return new AuditRecord("login", caller, by, "", "");
    }

    /** The end of a login that its user ended. */
    public static AuditRecord logout(Caller caller, String by) {
        return new AuditRecord("logout", caller, by, "", "");
    }

    /** The id in answers and logs. */
    public String request() {
        return request;
    }

    /** This is a part of it. */
    public void changed(StoredChange change) {
        String before = digest(change.before());
        String after = digest(change.after());
        all.update((change.ref() + " " + before + " " + after + "\n").getBytes(StandardCharsets.UTF_8));
        changes++;
        if (items.size() < MOST_ITEMS) {
            ObjectNode item =
                    items.addObject().put("intent", shortened(change.ref().toString()));
            change.before().ifPresent(text -> item.put("before", before));
            change.after().ifPresent(text -> item.put("after", after));
        }
    }

    private static String digest(Optional<String> text) {
        return text.map(Chain::sha256).orElse("-");
    }

    /** True if the audit log must have its line before it is carried out. */
    boolean isAnnounced() {
        return !event.equals(DRY_RUN);
    }

    ObjectNode begun() {
        return who("begun");
    }

    /** @param outcome done, partly, refused, denied, failed */
    ObjectNode ended(String outcome, int status) {
        ObjectNode line = who(changes > 0 && event.equals(DRY_RUN) ? CHANGE : event)
                .put("outcome", outcome)
                .put("status", status);
        if (changes > 0) {
            ObjectNode of = line.putObject("changes").put("count", changes);
            of.put("digest", HexFormat.of().formatHex(all.digest()));
            of.set("items", items);
        }
        return line;
    }

    private ObjectNode who(String what) {
        ObjectNode line =
                JsonNodeFactory.instance.objectNode().put("event", what).put("request", request);
        line.put("user", shortened(caller.name()));
        caller.roles().stream().sorted().map(Role::word).forEach(line.putArray("roles")::add);
        line.put("how", caller.how().word()).put("from", caller.address()).put("by", by);
        return method.isEmpty() ? line : line.put("method", method).put("resource", shortened(resource));
    }

    private static String shortened(String text) {
        return text.length() <= MOST_CHARACTERS ? text : text.substring(0, MOST_CHARACTERS) + "…";
    }

    private static MessageDigest sha256() {
        try {
            return MessageDigest.getInstance("SHA-256");
        } catch (NoSuchAlgorithmException e) {
            throw new AssertionError("every Java has SHA-256", e);
        }
    }
}
