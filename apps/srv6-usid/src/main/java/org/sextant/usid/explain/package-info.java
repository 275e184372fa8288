// SPDX-License-Identifier: Apache-2.0
/** {@code sextant explain}: the effect of a policy, without a controller, a network or root. */
package org.sextant.usid.explain;
