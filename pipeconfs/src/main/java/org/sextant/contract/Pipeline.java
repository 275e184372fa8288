// SPDX-License-Identifier: Apache-2.0
package org.sextant.contract;

import java.util.Map;
import java.util.Set;

/**
 * The tables and actions of a target's program.
 *
 * @param name of the target, for example {@code linux}
 * @param actionsOfTable those that an entry may have, or the default entry of a table without a key
 * @param sizeOfTable how many rows a table holds
 */
public record Pipeline(String name, Map<String, Set<String>> actionsOfTable, Map<String, Long> sizeOfTable) {}
