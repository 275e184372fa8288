// SPDX-License-Identifier: Apache-2.0
package org.sextant.kit;

import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.sextant.core.intent.IntentState;

/** Waits for the nodes of a request, and computes the HTTP status of its response from the state by then. */
public final class InstallWait {
    /** A waiting request holds a thread of the server; beyond this number, it returns the present state at once. */
    private static final Semaphore ROOM = new Semaphore(64);

    private InstallWait() {}

    /** 200: unchanged, or replaces another intent; 201: new and installed; 202: not (fully) installed yet. */
    public static int code(boolean changed, boolean created, IntentState state) {
        if (!changed) {
            return 200;
        }
        return state != IntentState.INSTALLED ? 202 : created ? 201 : 200;
    }

    /** True if it completed in time; false also, and at once, if too many wait already. */
    public static boolean await(CompletableFuture<Void> future, Duration patience) {
        if (!ROOM.tryAcquire()) {
            return future.isDone();
        }
        try {
            future.get(patience.toMillis(), TimeUnit.MILLISECONDS);
            return true;
        } catch (TimeoutException e) {
            return false;
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return false;
        } catch (ExecutionException e) {
            throw new IllegalStateException(e.getCause());
        } finally {
            ROOM.release();
        }
    }
}
