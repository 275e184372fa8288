// SPDX-License-Identifier: Apache-2.0
package org.sextant.contract;

/**
 * Counters of packets and bytes that belong to no row.
 *
 * @param size in cells
 */
public record CounterArray(int id, String name, int size) {}
