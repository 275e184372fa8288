// SPDX-License-Identifier: Apache-2.0
/** {@code sextant explain}: what a policy would do, without a controller, a network or root. */
package org.sextant.usid.explain;
