// SPDX-License-Identifier: Apache-2.0
/**
 * Mobile slices and their sessions as an operator writes them: immutable values and their JSON. Package {@code slice}
 * compiles slices, {@code session} compiles sessions; docs/reference/slices.md has the fields.
 */
package org.sextant.mobile;
