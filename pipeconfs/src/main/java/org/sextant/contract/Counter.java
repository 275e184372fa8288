// SPDX-License-Identifier: Apache-2.0
package org.sextant.contract;

/** A direct counter of packets and bytes. */
public record Counter(int id, String name, Table table) {}
