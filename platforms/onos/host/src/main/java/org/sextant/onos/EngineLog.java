// SPDX-License-Identifier: Apache-2.0
package org.sextant.onos;

import org.sextant.core.intent.EngineEvent;
import org.sextant.core.intent.IntentState;
import org.sextant.core.provision.Provisioning;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** What of the engine's events an operator reads in the log; the core itself does not log. */
final class EngineLog {
    private static final Logger LOG = LoggerFactory.getLogger(EngineLog.class);

    private EngineLog() {}

    static void log(EngineEvent event) {
        if (event instanceof EngineEvent.IntentChanged changed) {
            changed(changed);
        } else if (event instanceof EngineEvent.IntentRemoved removed) {
            LOG.info("intent={} removed=true", removed.intent());
        } else if (event instanceof EngineEvent.EntriesWritten written) {
            LOG.debug(
                    "node={} inserted={} modified={} removed={}",
                    written.node(),
                    written.inserted(),
                    written.modified(),
                    written.removed());
        } else if (event instanceof EngineEvent.EntryRefused refused) {
            LOG.warn(
                    "node={} entry=\"{}\" refused={} reason=\"{}\"",
                    refused.node(),
                    refused.key(),
                    refused.failure().code(),
                    refused.failure().reason());
        } else if (event instanceof EngineEvent.NodeChanged changed) {
            LOG.debug("node={}", changed.node());
        } else if (event instanceof EngineEvent.DriftFound drift) {
            LOG.warn(
                    "node={} drift={} first=\"{}\"",
                    drift.node(),
                    drift.drift().size(),
                    drift.drift().get(0));
        } else if (event instanceof EngineEvent.StoredIntentUnreadable unreadable) {
            LOG.error("stored={} unreadable=\"{}\"", unreadable.key(), unreadable.reason());
        } else if (event instanceof EngineEvent.Fault fault) {
            LOG.error("fault in {}", fault.where(), fault.cause());
        }
    }

    /** What is on its way is told when it arrives; provisioning follows every change of the network and tells of trouble only. */
    private static void changed(EngineEvent.IntentChanged changed) {
        boolean usual = changed.state() == IntentState.INSTALLED
                && changed.intent().kind().equals(Provisioning.NAME);
        if (usual || changed.state() == IntentState.PENDING) {
            LOG.debug("intent={} state={}", changed.intent(), changed.state());
        } else {
            LOG.info("intent={} state={}", changed.intent(), changed.state());
        }
    }
}
