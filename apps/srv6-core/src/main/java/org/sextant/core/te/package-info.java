// SPDX-License-Identifier: Apache-2.0
/** Dynamic candidate paths: computed from goals and constraints (RFC 9256, 5.2). */
package org.sextant.core.te;
