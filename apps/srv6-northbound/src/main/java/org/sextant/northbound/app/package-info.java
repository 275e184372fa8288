// SPDX-License-Identifier: Apache-2.0
/**
 * Operations of REST and shell on the intents of any app: reading posted ones, receipts, choosing, removing, showing.
 */
package org.sextant.northbound.app;
