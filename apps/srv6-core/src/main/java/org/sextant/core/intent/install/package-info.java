// SPDX-License-Identifier: Apache-2.0
/**
 * The entries that nodes hold, and the updates that turn them into the admitted ones: entries by node
 * ({@link org.sextant.core.intent.install.NodeTable}), update plans and their execution
 * ({@link org.sextant.core.intent.install.Reconciler}), and the monitoring of nodes. Intents are rows of entries here;
 * events go to an {@link org.sextant.core.intent.install.InstallListener}.
 *
 * <p>Used by the event loop only, unless a method states otherwise.
 */
package org.sextant.core.intent.install;
