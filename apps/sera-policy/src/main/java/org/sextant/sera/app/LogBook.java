// SPDX-License-Identifier: Apache-2.0
package org.sextant.sera.app;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import org.sextant.core.filter.Verdict;
import org.sextant.core.port.FirewallTelemetry.Inside;
import org.sextant.core.port.FirewallTelemetry.Logged;
import org.sextant.core.text.Moments;
import org.sextant.sera.Verb;

/**
 * The latest packets that rules with log matched, within bounds: the last lines of each of the firewalls with the
 * latest lines, and beside them the new lines for event streams. Dropped lines are counted.
 */
final class LogBook {
    /** The maximum number of stored lines of a firewall. */
    static final int MOST_LINES = 200;

    /** The maximum number of lines per event: with ten events a second, a flood is 500 lines a second. */
    static final int MOST_TOLD = 50;

    private static final int MOST_FIREWALLS = 256;

    private final Instant since;
    private final Map<String, Pages> pages = new LinkedHashMap<>(16, 0.75f, true) {
        private static final long serialVersionUID = 1L;

        @Override
        protected boolean removeEldestEntry(Map.Entry<String, Pages> eldest) {
            return size() > MOST_FIREWALLS;
        }
    };

    private final Deque<ObjectNode> news = new ArrayDeque<>();
    private long left;
    private boolean telling;

    /** The lines of one firewall, oldest first. */
    private static final class Pages {
        private final Deque<ObjectNode> lines = new ArrayDeque<>();
        private long seen;
        private long unlogged;
        private long lost;
    }

    /** @param since the start of the log */
    LogBook(Instant since) {
        this.since = since;
    }

    /** Adds a line; true if it is queued for {@link #take}. */
    synchronized boolean write(Logged event, FirewallLookup.RuleOf rule) {
        ObjectNode line = line(event, rule);
        Pages book = pages.computeIfAbsent(rule.id(), none -> new Pages());
        book.seen++;
        book.unlogged += event.unlogged();
        book.lost += event.lost();
        book.lines.add(line);
        if (book.lines.size() > MOST_LINES) {
            book.lines.remove();
        }
        if (!telling) {
            return false;
        }
        news.add(line);
        if (news.size() > MOST_TOLD) {
            news.remove();
            left++;
        }
        return true;
    }

    /** Starts or ends the queue for {@link #take}. */
    synchronized void tell(boolean wanted) {
        telling = wanted;
        news.clear();
        left = 0;
    }

    /** Removes the lines of a deleted firewall: one with the same name later is another. */
    synchronized void forget(String firewall) {
        pages.remove(firewall);
    }

    /** The lines since the last call, oldest first, and the number of dropped ones before them; empty if none. */
    synchronized Optional<ObjectNode> take() {
        if (news.isEmpty()) {
            return Optional.empty();
        }
        ObjectNode told = JsonNodeFactory.instance.objectNode().put("left", left);
        told.putArray("lines").addAll(news);
        news.clear();
        left = 0;
        return Optional.of(told);
    }

    /** Writes the last lines of a firewall into a view, latest first. */
    synchronized void show(String firewall, int limit, ObjectNode view) {
        Pages book = Optional.ofNullable(pages.get(firewall)).orElseGet(Pages::new);
        view.put("since", Moments.iso(since))
                .put("seen", book.seen)
                .put("unlogged", book.unlogged)
                .put("lost", book.lost);
        ArrayNode lines = view.putArray("lines");
        Iterator<ObjectNode> latest = book.lines.descendingIterator();
        while (latest.hasNext() && lines.size() < limit) {
            lines.add(latest.next());
        }
    }

    private static ObjectNode line(Logged event, FirewallLookup.RuleOf rule) {
        ObjectNode line = JsonNodeFactory.instance
                .objectNode()
                .put("firewall", rule.id())
                .put("node", event.node())
                .put("at", Moments.iso(event.at()))
                .put("version", rule.version())
                .put("rule", rule.index())
                .put("name", rule.name())
                .put("verdict", verdict(event));
        event.dropped().ifPresent(reason -> line.put("dropped", Reasons.spelling(reason)));
        if (wouldDrop(event, rule)) {
            line.put("audit", true);
        }
        line.put("sid", event.sid().toString());
        Inside inside = event.inside();
        line.put("source", inside.source().toString())
                .put("destination", inside.destination().toString())
                .put("protocol", inside.protocol());
        inside.ports().ifPresent(ports -> line.put("sourcePort", ports.first()).put("destinationPort", ports.second()));
        inside.icmp().ifPresent(icmp -> line.put("icmpType", icmp.first()).put("icmpCode", icmp.second()));
        return line.put("unlogged", event.unlogged()).put("lost", event.lost());
    }

    /** The action in the spelling of rules. */
    private static String verdict(Logged event) {
        return event.dropped().isPresent()
                ? Verb.DROP.spelling()
                : Verdict.ofAction(event.action())
                        .map(verdict -> switch (verdict) {
                            case DROP -> Verb.DROP;
                            case GO_NEXT -> Verb.ACCEPT;
                            case SKIP_NEXT -> Verb.SKIP_NEXT;
                            case GO_LAST -> Verb.GO_LAST;
                            case EVAL_ARGS -> Verb.EVAL_ARGS;
                        })
                        .map(Verb::spelling)
                        .orElse(event.action());
    }

    private static boolean wouldDrop(Logged event, FirewallLookup.RuleOf rule) {
        Verb written = rule.index() < 0
                ? rule.rules().otherwise()
                : rule.rules().rules().get(rule.index()).verb();
        return written == Verb.DROP
                && !event.action().equals(Verdict.DROP.contract().name());
    }
}
