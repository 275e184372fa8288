// SPDX-License-Identifier: Apache-2.0
package org.sextant.core.log;

import java.lang.System.Logger.Level;
import java.util.Optional;
import java.util.Set;
import org.sextant.core.intent.CompilerStatus;
import org.sextant.core.intent.EngineEvent;
import org.sextant.core.intent.IntentState;
import org.sextant.core.intent.NodeStatus;
import org.sextant.core.provision.ProtectionKind;
import org.sextant.core.provision.Provisioning;

/**
 * The line about an engine's event in a host's log; the core itself does not log.
 *
 * @param cause of a defect
 */
public record LogLine(Level level, String text, Optional<Throwable> cause) {
    private static final Set<String> FOLLOWING = Set.of(Provisioning.NAME, ProtectionKind.NAME);

    private static LogLine of(Level level, String text, Object... values) {
        return new LogLine(level, text.formatted(values), Optional.empty());
    }

    public static LogLine of(EngineEvent event) {
        if (event instanceof EngineEvent.IntentChanged changed) {
            return of(
                    usual(changed) ? Level.DEBUG : Level.INFO, "intent=%s state=%s", changed.intent(), changed.state());
        }
        if (event instanceof EngineEvent.IntentRemoved removed) {
            return of(Level.INFO, "intent=%s removed=true", removed.intent());
        }
        if (event instanceof EngineEvent.IntentReported report) {
            return of(Level.WARNING, "intent=%s trouble=%s: %s", report.intent(), report.trouble(), report.message());
        }
        if (event instanceof EngineEvent.EntriesWritten written) {
            return of(
                    Level.DEBUG,
                    "node=%s inserted=%d modified=%d removed=%d",
                    written.node(),
                    written.inserted(),
                    written.modified(),
                    written.removed());
        }
        if (event instanceof EngineEvent.EntryRefused refused) {
            return of(
                    Level.WARNING,
                    "node=%s entry=\"%s\" refused=%s reason=\"%s\"",
                    refused.node(),
                    refused.key(),
                    refused.failure().code(),
                    refused.failure().reason());
        }
        if (event instanceof EngineEvent.NodeChanged changed) {
            return of(changed.node());
        }
        if (event instanceof EngineEvent.NodeForgotten forgotten) {
            return of(
                    Level.WARNING,
                    "node=%s left=true: it is not in the network any more and keeps the %d entries that it had",
                    forgotten.node(),
                    forgotten.entries());
        }
        if (event instanceof EngineEvent.DriftFound drift) {
            return of(
                    Level.WARNING,
                    "node=%s drift=%d first=\"%s\"",
                    drift.node(),
                    drift.drift().size(),
                    drift.drift().get(0));
        }
        return ofController(event);
    }

    private static LogLine ofController(EngineEvent event) {
        if (event instanceof EngineEvent.AuditEnded audit) {
            return of(
                    Level.DEBUG,
                    "audit repairs=%d unread=%d",
                    audit.report().repairs(),
                    audit.report().unread().size());
        }
        if (event instanceof EngineEvent.StoredIntentUnreadable unreadable) {
            return of(Level.ERROR, "stored=%s unreadable=\"%s\"", unreadable.key(), unreadable.reason());
        }
        if (event instanceof EngineEvent.CompilerVersionChanged changed) {
            return of(changed.status());
        }
        if (event instanceof EngineEvent.CompilerMembersChanged changed) {
            return of(Level.DEBUG, "compiler members=%s", changed.status().members());
        }
        EngineEvent.Fault fault = (EngineEvent.Fault) event;
        return new LogLine(Level.ERROR, "fault in " + fault.where(), Optional.of(fault.cause()));
    }

    private static LogLine of(CompilerStatus compiler) {
        String versions = "compiler version=%d oldest=%d newest=%d"
                .formatted(
                        compiler.inForce(),
                        compiler.own().oldest(),
                        compiler.own().newest());
        return compiler.standsAside()
                .map(reason -> of(Level.WARNING, "%s standsAside=\"%s\"", versions, reason))
                .orElseGet(() -> of(Level.INFO, "%s", versions));
    }

    private static LogLine of(NodeStatus node) {
        return node.state() == NodeStatus.State.LOST
                ? of(Level.WARNING, "node=%s state=LOST reason=\"%s\"", node.node(), node.reason())
                : of(Level.DEBUG, "node=%s", node);
    }

    /**
     * A pending change is logged when it ends; intents that follow every change of the network are logged only when
     * they fail.
     */
    private static boolean usual(EngineEvent.IntentChanged changed) {
        return changed.state() == IntentState.PENDING
                || changed.state() == IntentState.INSTALLED
                        && FOLLOWING.contains(changed.intent().kind());
    }
}
