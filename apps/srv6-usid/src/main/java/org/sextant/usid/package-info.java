// SPDX-License-Identifier: Apache-2.0
/**
 * SR policies: what an operator asks for ({@link org.sextant.usid.Policy}), its JSON form, and how it compiles to uSID
 * containers, segment lists and steering.
 */
package org.sextant.usid;
