// SPDX-License-Identifier: Apache-2.0
/**
 * Mobile slices and their sessions as an operator writes them: immutable values and their JSON. How a slice compiles is in
 * {@code slice}, how a session does in {@code session}; docs/reference/slices.md has the fields.
 */
package org.sextant.mobile;
