// SPDX-License-Identifier: Apache-2.0
package org.sextant.northbound.events;

/**
 * Something that happened, before it has a place in the log.
 *
 * @param topic the aspect of the subject: events of one topic may be put together, such as the flaps of a link
 * @param text a sentence
 */
record LogEntry(LogKind kind, Severity severity, LogSubject subject, String topic, String text) {
    /** Longer ones are cut: the log has a bound in bytes because each of its events has one. */
    static final int MAX_TEXT = 300;

    private static final int MAX_ID = 200;

    LogEntry {
        subject = new LogSubject(subject.kind(), cut(subject.id(), MAX_ID));
        topic = cut(topic, MAX_ID);
        text = cut(text, MAX_TEXT);
    }

    private static String cut(String text, int most) {
        return text.length() <= most ? text : text.substring(0, most - 1) + "…";
    }
}
