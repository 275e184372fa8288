// SPDX-License-Identifier: Apache-2.0
package org.sextant.core.intent.engine;

import com.fasterxml.jackson.core.type.TypeReference;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;
import org.sextant.core.intent.DriftReport;
import org.sextant.core.intent.StoredChange;
import org.sextant.core.intent.allocate.IdPools;
import org.sextant.core.intent.desired.CompilerAgreement;
import org.sextant.core.intent.desired.DesiredState;
import org.sextant.core.intent.desired.IntentStore;
import org.sextant.core.intent.desired.StoredIntent;
import org.sextant.core.intent.install.BootCounts;
import org.sextant.core.intent.install.EntryReports;
import org.sextant.core.intent.install.Installation;
import org.sextant.core.intent.install.NodeMonitor;
import org.sextant.core.intent.install.RouteReports;
import org.sextant.core.intent.orphan.OrphanedEntries;
import org.sextant.core.intent.status.StatusBoard;
import org.sextant.core.loop.Call;
import org.sextant.core.loop.Commits;
import org.sextant.core.loop.EventLoop;
import org.sextant.core.loop.Message;
import org.sextant.core.loop.Progress;
import org.sextant.core.net.Network;
import org.sextant.core.port.DataPlane;
import org.sextant.core.port.Inventory;
import org.sextant.core.port.Store;

/**
 * Handles the messages from outside: passes them on to the packages, and has these react when the messages at hand are
 * handled.
 */
final class MessageHandler {
    private static final TypeReference<Network> NETWORK = new TypeReference<>() {};
    private static final TypeReference<Set<String>> NAMES = new TypeReference<>() {};

    private final Inventory inventory;
    private final DataPlane dataPlane;
    private final EventLoop loop;
    private final Commits commits;
    private final DesiredState desired;
    private final Installation installation;
    private final OrphanedEntries orphans;
    private final StatusBoard status;
    private final Rooms rooms;
    private final DriftCheckSchedule pace = new DriftCheckSchedule();

    MessageHandler(Inventory inventory, DataPlane dataPlane, Rooms rooms) {
        this.inventory = inventory;
        this.dataPlane = dataPlane;
        this.rooms = rooms;
        this.loop = rooms.runtime().loop();
        this.commits = rooms.runtime().commits();
        this.desired = rooms.desired();
        this.installation = rooms.installation();
        this.orphans = rooms.orphans();
        this.status = rooms.status();
    }

    /**
     * @return the answer for the caller: a {@link EngineMessage.PendingChange} for a change, else a future if work
     *     remains
     */
    @Nullable
    Object handle(Message message) {
        if (message instanceof EngineMessage.Change<?> change) {
            return begin(change);
        }
        if (message instanceof EngineMessage.Audit) {
            return startAudit();
        }
        if (message instanceof EngineMessage.AwaitIdle) {
            commits.catchUp();
            return installation.reconciler().idle();
        }
        if (message instanceof EngineMessage.Drain) {
            return installation.reconciler().drain();
        }
        if (message instanceof EngineMessage.Close) {
            commits.close();
            installation.reconciler().close();
        } else if (message instanceof EngineMessage.Start) {
            start();
        } else if (message instanceof EngineMessage.KindRegistered registered) {
            desired.register(registered.kind());
            orphans.all().forEach(orphan -> status.views().orphansChanged(orphan.ref()));
        } else if (message instanceof EngineMessage.KindUnregistered unregistered) {
            desired.unregister(unregistered.kind());
        } else if (message instanceof EngineMessage.KeepRows rows) {
            desired.keepRows(rows.keep());
        } else if (message instanceof EngineMessage.AuditDue) {
            periodicAudit();
        } else {
            follow((EngineMessage) message);
        }
        return null;
    }

    /** Follows a change that a port reports. */
    private void follow(EngineMessage message) {
        if (message instanceof EngineMessage.NetworkChanged changed) {
            desired.networkChanged(changed.network());
        } else if (message instanceof EngineMessage.StoreChanged changed) {
            follow(changed.change());
        } else if (message instanceof EngineMessage.MembersChanged) {
            installation.monitor().coordinate();
            desired.coordinate();
        } else if (message instanceof EngineMessage.NodeStateChanged changed) {
            installation.monitor().state(changed.state());
        } else {
            throw new IllegalArgumentException("no room handles " + message);
        }
    }

    private void follow(Store.Change change) {
        switch (change.map()) {
            case StoredIntent.MAP -> desired.storeChanged(change);
            case OrphanedEntries.MAP -> orphans.storeChanged(change);
            case IdPools.MAP -> rooms.allocations().pools().storeChanged(change);
            case BootCounts.MAP -> installation.bootCounts().storeChanged(change);
            case RouteReports.MAP -> installation.routeReports().storeChanged(change);
            case CompilerAgreement.MAP -> desired.compilerVersionsChanged(change);
            case EntryReports.MAP -> installation.entryReports().storeChanged(change);
            default -> throw new IllegalArgumentException("no room follows the map " + change.map());
        }
    }

    private void takeReports() {
        installation.entryReports().takeNews().forEach(intent -> {
            installation.reconciler().reported(intent);
            status.reported(intent);
        });
    }

    /** The maps whose changes {@link #handle} follows. */
    static List<String> maps() {
        return List.of(
                StoredIntent.MAP,
                OrphanedEntries.MAP,
                IdPools.MAP,
                BootCounts.MAP,
                RouteReports.MAP,
                CompilerAgreement.MAP,
                EntryReports.MAP);
    }

    private void start() {
        rooms.allocations().pools().load();
        installation.bootCounts().load();
        installation.routeReports().load();
        installation.entryReports().load();
        desired.loadCompilerVersions();
        desired.networkChanged(loop.observe(Call.outside("network", "", NETWORK, inventory::snapshot)));
        desired.catchUp();
        orphans.load();
        desired.load();
        loop.observe(Call.outside("ready nodes", "", NAMES, dataPlane::ready))
                .forEach(node -> installation.monitor().state(new DataPlane.NodeState(node, true, "")));
        status.publish(desired.network());
    }

    @SuppressWarnings("unchecked") // the change's type names the result
    private <T> EngineMessage.PendingChange<T> begin(EngineMessage.Change<T> change) {
        List<StoredChange> changes = new ArrayList<>();
        CompletableFuture<T> result = commits.submit(() -> {
            desired.requireInForce();
            return (Progress<T>) make(change, changes);
        });
        return new EngineMessage.PendingChange<>(result, changes);
    }

    private Progress<?> make(EngineMessage.Change<?> change, List<StoredChange> changes) {
        if (change instanceof EngineMessage.Submit<?> submit) {
            return desired.submit(submit.kind(), submit.intents(), submit.only(), changes);
        }
        if (change instanceof EngineMessage.SubmitFirst<?> submit) {
            return desired.submitFirst(submit.kind(), submit.intents(), changes);
        }
        if (change instanceof EngineMessage.SubmitTogether submit) {
            return desired.submitTogether(submit.intents(), changes);
        }
        if (change instanceof EngineMessage.DryRunTogether submit) {
            return desired.dryRunTogether(submit.intents());
        }
        if (change instanceof EngineMessage.Replace replace) {
            return desired.replace(
                    replace.kind(), replace.id(), replace.seen(), replace.next(), replace.only(), changes);
        }
        if (change instanceof EngineMessage.WithdrawPresent withdraw) {
            return desired.withdrawPresent(withdraw.kind(), withdraw.ids(), changes);
        }
        EngineMessage.Withdraw withdraw = (EngineMessage.Withdraw) change;
        return desired.withdraw(withdraw.kind(), withdraw.ids(), withdraw.only(), changes);
    }

    /** Reads the nodes, and retries the entries that they refused. */
    private CompletableFuture<DriftReport> startAudit() {
        NodeMonitor monitor = installation.monitor();
        CompletableFuture<DriftReport> report = monitor.audit();
        orphans.dropOutside(desired.network().nodes().keySet());
        if (rooms.runtime().coordination().isMine(IntentStore.NUMBERING)) {
            installation.entryReports().tidy(desired::isKnown);
            desired.tidyCompilerVersions();
        }
        installation.reconciler().retryUnblocked();
        return report.thenApply(ended -> {
            status.publish(desired.network()); // readers then see the nodes of this read
            return ended;
        });
    }

    private void periodicAudit() {
        installation.monitor().catchUp();
        if (!installation.monitor().auditing()
                && pace.begins(installation.reconciler().waiting())) {
            startAudit();
        }
    }

    void react() {
        commits.catchUp();
        desired.catchUp();
        desired.settle();
        installation.routeReports().retryWaiting();
        takeReports();
        installation.reconciler().pump();
        if (!desired.standsAside()) {
            installation.routeReports().pump(); // the last report of a node still holds: it is not written
        }
        installation.monitor().forgetNodes(desired.network().nodes().keySet());
        status.publish(desired.network());
        installation.entryReports().pump();
        orphans.pump();
        installation
                .reconciler()
                .endIdle(desired.isQuiet()
                        && installation.entryReports().isQuiet()
                        && orphans.quiet()
                        && installation.routeReports().isQuiet());
    }
}
