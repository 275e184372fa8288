// SPDX-License-Identifier: Apache-2.0
package org.sextant.core.intent;

import java.util.List;
import org.sextant.core.port.DataPlane.Failure;
import org.sextant.core.table.Entry;

/** An event of the engine for listeners; delivered in order, from one thread. */
public sealed interface EngineEvent {

    /** An intent is new, or its state or plan changed. */
    record IntentChanged(IntentRef intent, IntentState state) implements EngineEvent {}

    /** An intent was withdrawn; its entries are being removed. */
    record IntentRemoved(IntentRef intent) implements EngineEvent {}

    /**
     * An app reports a condition of an intent that its state does not show, such as a failure that does not affect its
     * traffic.
     *
     * @param subject the affected part of the intent, for example {@code path 2}; a later report about it replaces this
     *     one
     * @param trouble false if the condition has ended
     */
    record IntentReported(IntentRef intent, String subject, boolean trouble, String message) implements EngineEvent {}

    /** Entries were written to or removed from a node. */
    record EntriesWritten(String node, int inserted, int modified, int removed) implements EngineEvent {}

    /** A node refused an entry. */
    record EntryRefused(String node, Entry.Key key, Failure failure) implements EngineEvent {}

    /** A node became readable, or was lost. */
    record NodeChanged(NodeStatus node) implements EngineEvent {}

    /** A node left the network and cannot be written; it keeps the entries that it had. */
    record NodeForgotten(String node, int entries) implements EngineEvent {}

    /** A node held other rows than it should; they are repaired next. */
    record DriftFound(String node, List<DriftReport.Drift> drift) implements EngineEvent {
        public DriftFound {
            drift = List.copyOf(drift);
        }
    }

    /** All nodes were compared with the desired entries, and the drift was repaired. */
    record AuditEnded(DriftReport report) implements EngineEvent {}

    /** Something in the store cannot be used; it is kept, and no undesired row of a node is removed. */
    record StoredIntentUnreadable(String key, String reason) implements EngineEvent {}

    /** The cluster's compiler version changed, or whether this controller can compile it. */
    record CompilerVersionChanged(CompilerStatus status) implements EngineEvent {}

    /** The compiler versions of the members changed, and the version in force did not. */
    record CompilerMembersChanged(CompilerStatus status) implements EngineEvent {}

    /** A defect: something that must not happen did, and was contained. */
    record Fault(String where, Throwable cause) implements EngineEvent {}
}
