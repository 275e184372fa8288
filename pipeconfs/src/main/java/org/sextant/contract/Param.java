// SPDX-License-Identifier: Apache-2.0
package org.sextant.contract;

/** A parameter of an action. */
public record Param(int id, String name, int bits) {}
