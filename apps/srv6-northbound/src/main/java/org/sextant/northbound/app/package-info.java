// SPDX-License-Identifier: Apache-2.0
/** What REST and shell do with the intents of any app: reading what was posted, receipts, choosing, removing, showing. */
package org.sextant.northbound.app;
