// SPDX-License-Identifier: Apache-2.0
package org.sextant.core.loop;

import java.time.Duration;

/**
 * The timeouts of calls of the store.
 *
 * @param retryDelay time until a store that did not answer, or refused, is called again
 * @param patience the event loop waits so long at most for a call
 * @param deadline a change fails when the store has not answered for so long
 */
public record StoreTimeouts(Duration retryDelay, Duration patience, Duration deadline) {}
