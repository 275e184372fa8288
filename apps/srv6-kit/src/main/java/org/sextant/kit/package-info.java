// SPDX-License-Identifier: Apache-2.0
/**
 * The library that apps share beside the core: the ends of traffic as operators write them, findings while an intent
 * compiles, checks of headends, MTUs and hop limits, and the wait of a request for its nodes. No app depends on
 * another.
 */
package org.sextant.kit;
