// SPDX-License-Identifier: Apache-2.0
/**
 * One thread that owns state, and a store beside it: messages in their order ({@link org.sextant.core.loop.EventLoop}), calls of the
 * store that never hold the thread for long ({@link org.sextant.core.loop.StoreCalls}), and changes that are durable before they
 * count ({@link org.sextant.core.loop.Commits}).
 */
package org.sextant.core.loop;
