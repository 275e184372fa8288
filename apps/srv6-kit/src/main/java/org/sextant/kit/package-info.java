// SPDX-License-Identifier: Apache-2.0
/**
 * What apps are made of beside the core: the ends of traffic as operators write them, findings while an intent compiles,
 * the underlay that plans lean on, and how a request waits for its nodes. Apps share it; no app knows another.
 */
package org.sextant.kit;
