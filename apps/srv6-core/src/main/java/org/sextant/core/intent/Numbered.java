// SPDX-License-Identifier: Apache-2.0
package org.sextant.core.intent;

/**
 * An intent as the engine keeps it.
 *
 * @param id stable name in REST and CLI
 * @param number unique among all intents of all kinds, 1 to 2^27; apps derive sid_list ids from it
 */
public record Numbered<I>(String id, int number, I intent) {}
