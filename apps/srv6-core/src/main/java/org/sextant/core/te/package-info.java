// SPDX-License-Identifier: Apache-2.0
/** Paths that nobody wrote down: computed from what they must and must not be (RFC 9256, 5.2). */
package org.sextant.core.te;
