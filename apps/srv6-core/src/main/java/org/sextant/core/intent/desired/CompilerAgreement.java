// SPDX-License-Identifier: Apache-2.0
package org.sextant.core.intent.desired;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.stream.Collectors;
import org.sextant.core.Problem;
import org.sextant.core.ProblemException;
import org.sextant.core.intent.CompilerStatus;
import org.sextant.core.intent.CompilerVersions;
import org.sextant.core.intent.EngineEvent;
import org.sextant.core.intent.EngineRuntime;
import org.sextant.core.loop.Answer;
import org.sextant.core.loop.Call;
import org.sextant.core.loop.EventLoop;
import org.sextant.core.loop.StoreCalls;
import org.sextant.core.loop.StoreLateException;
import org.sextant.core.loop.StoreQuestion;
import org.sextant.core.loop.StoreWatch;
import org.sextant.core.port.Coordination;
import org.sextant.core.port.Member;
import org.sextant.core.port.Store;
import org.sextant.core.port.StoreUnavailableException;

/**
 * The compiler version that the members of a cluster agree on. Every member compiles the version in the store's record,
 * and nothing else; a member that cannot, or whose own versions are not stored yet, is passive: it writes no node and
 * changes no intent.
 *
 * <p>A member publishes its versions and lowers the version in force to its newest in one commit. One member raises it, the one that
 * acts for {@link IntentStore#NUMBERING}, to the lowest newest version of all members. Both replace exactly the record that they have
 * read, so none is raised past a member that published meanwhile.
 *
 * <p>A single controller compiles its newest version, and stores nothing. Used by the event loop only, but for {@link #status}.
 */
public final class CompilerAgreement {
    public static final String MAP = CompilerRecords.MAP;

    private final EngineRuntime runtime;
    private final Coordination coordination;
    private final Store store;
    private final StoreCalls calls;
    private final EventLoop loop;
    private final CompilerVersions own;
    private final StoreWatch following;
    private CompilerRecords records = new CompilerRecords(new TreeMap<>());
    private volatile CompilerStatus status;

    private boolean loaded;

    /** A call of the store has not answered. */
    private boolean calling;

    /** The store failed a moment ago. */
    private boolean stalled;

    /** The records were read, and no reaction has followed yet. */
    private boolean news;

    /** Records of members that are not listed are to be removed. */
    private boolean tidying;

    CompilerAgreement(EngineRuntime runtime) {
        this.runtime = runtime;
        this.coordination = runtime.coordination();
        this.store = runtime.commits().store();
        this.calls = runtime.commits().calls();
        this.loop = runtime.loop();
        this.own = runtime.settings().compilers();
        this.status = CompilerStatus.single(own);
        this.following = runtime.commits().follow(MAP, (key, now) -> records = records.with(key, now));
    }

    /** Any loop may call it. */
    CompilerStatus status() {
        return status;
    }

    /** True if this controller must write no node and change no intent. */
    boolean standsAside() {
        return status.standsAside().isPresent();
    }

    /** @throws ProblemException if this controller stands aside */
    void requireInForce() {
        status.standsAside().ifPresent(reason -> {
            throw new ProblemException(
                    new Problem(
                            Problem.Code.CONFLICT,
                            "",
                            "this controller changes no intents: " + reason,
                            "send the request to another controller, or upgrade all to releases whose compiler versions overlap"));
        });
    }

    void load() {
        records = new CompilerRecords(runtime.commits().load(MAP));
        loaded = true;
    }

    /** Changes of several members may be reported in another order than they were made: the store is read. */
    void storeChanged(Store.Change change) {
        if (!records.haveSeen(change)) {
            following.changed(change.key());
        }
    }

    /** Removes the records of members that left the cluster, if this member decides. */
    void tidy() {
        tidying = true;
    }

    boolean isQuiet() {
        return !calling && !news;
    }

    /** Stores due changes, and publishes the status; called before anything is compiled. */
    void pump() {
        news = false;
        if (!loaded) {
            return;
        }
        if (!calling && !stalled && !calls.busy()) {
            List<Store.Write> due = coordination.shared() ? due() : List.of();
            tidying = false;
            if (!due.isEmpty()) {
                commit(due);
            }
        }
        show();
    }

    private void show() {
        CompilerStatus now = coordination.shared() ? shared() : CompilerStatus.single(own);
        CompilerStatus before = status;
        status = now;
        if (now.inForce() != before.inForce() || !now.standsAside().equals(before.standsAside())) {
            runtime.emit(new EngineEvent.CompilerVersionChanged(now));
        } else if (!now.members().equals(before.members())) {
            runtime.emit(new EngineEvent.CompilerMembersChanged(now));
        }
    }

    private CompilerStatus shared() {
        int inForce = records.inForce();
        Optional<String> aside = Optional.empty();
        if (!isPublished()) {
            aside = Optional.of("its compiler versions are not stored yet");
        } else if (!own.contains(inForce)) {
            aside = Optional.of("the cluster's compiler version is " + inForce + ", and it can compile " + own);
        }
        SortedMap<String, CompilerVersions> members = records.counted(listed());
        members.put(self(), own);
        return new CompilerStatus(inForce, own, members, aside);
    }

    private boolean isPublished() {
        return records.isPublished(self(), own);
    }

    private String self() {
        return coordination.members().stream()
                .filter(Member::self)
                .map(Member::id)
                .findFirst()
                .orElse(Member.ALONE);
    }

    private Set<String> listed() {
        return coordination.members().stream().map(Member::id).collect(Collectors.toSet());
    }

    private List<Store.Write> due() {
        if (!isPublished()) {
            return records.publish(self(), own);
        }
        List<Store.Write> due = new ArrayList<>();
        int next = records.inForce();
        if (decides()) {
            Set<String> listed = listed();
            next = records.agreed(listed);
            if (tidying) {
                due.addAll(records.tidy(listed));
            }
        }
        next = Math.min(next, own.newest());
        if (next != records.inForce()) {
            due.add(records.decide(next));
        }
        return due;
    }

    /** A member without a record runs a release that decides nothing: then each other member does, and comes to version 1. */
    private boolean decides() {
        return coordination.isMine(IntentStore.NUMBERING)
                || coordination
                        .leaderOf(IntentStore.NUMBERING)
                        .filter(leader -> !leader.equals(self()))
                        .filter(leader -> records.versions(leader).isEmpty())
                        .isPresent();
    }

    /** Makes the writes and reads the records after that, also if the writes were refused. */
    private void commit(List<Store.Write> writes) {
        read(StoreQuestion.allAfter(store, MAP, writes));
    }

    private void read(Call<SortedMap<String, String>> question) {
        calling = true;
        try {
            take(calls.call(question, Duration.ZERO, this::answered));
        } catch (StoreLateException late) {
            return; // its answer comes as a message
        } catch (RuntimeException e) {
            failed(e);
        }
    }

    private void answered(Answer<SortedMap<String, String>> answer) {
        answer.value().ifPresent(this::take);
        answer.failure().ifPresent(this::failed);
    }

    private void take(SortedMap<String, String> all) {
        calling = false;
        news = true;
        loop.react(); // more may be due
        records = new CompilerRecords(all);
    }

    private void failed(Throwable e) {
        calling = false;
        stalled = true;
        loop.after("compiler version retry", runtime.settings().retryDelay(), () -> stalled = false);
        if (!(e instanceof StoreUnavailableException)) { // no fault of the engine, and its host reports it
            runtime.emit(new EngineEvent.Fault("compiler versions", e));
        }
    }
}
