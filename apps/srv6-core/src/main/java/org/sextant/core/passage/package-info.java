// SPDX-License-Identifier: Apache-2.0
/**
 * The forwarding of users' packets by intents between an ingress and an egress, and the search for forwarding loops.
 */
package org.sextant.core.passage;
