// SPDX-License-Identifier: Apache-2.0
/**
 * SR policies: the operator's intent ({@link org.sextant.usid.Policy}), its JSON form, and its compilation to uSID
 * containers, segment lists and steering.
 */
package org.sextant.usid;
