// SPDX-License-Identifier: Apache-2.0
package org.sextant.contract;

/** A field that goes with a packet between controller and node. */
public record Metadata(int id, String name, int bits) {}
