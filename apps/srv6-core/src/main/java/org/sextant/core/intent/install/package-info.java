// SPDX-License-Identifier: Apache-2.0
/**
 * The entries that nodes hold, and the updates that bring them to what is admitted: entries by node
 * ({@link org.sextant.core.intent.install.NodeTable}), update plans and their execution
 * ({@link org.sextant.core.intent.install.Reconciler}), and the watch over nodes. It knows intents as rows of entries; what it finds
 * out it reports to an {@link org.sextant.core.intent.install.InstallListener}.
 *
 * <p>Used by the event loop only, unless a method says otherwise.
 */
package org.sextant.core.intent.install;
