// SPDX-License-Identifier: Apache-2.0
/** What intents do to users' packets between an ingress and an egress, and whether some packet goes round for ever. */
package org.sextant.core.passage;
