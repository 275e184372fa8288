// SPDX-License-Identifier: Apache-2.0
/**
 * Declarations of JSON values: a {@link org.sextant.core.shape.Shape} of a type is declared once, and reads, writes and
 * describes its values (docs/adr/0042-one-declaration-per-field.md).
 */
package org.sextant.core.shape;
