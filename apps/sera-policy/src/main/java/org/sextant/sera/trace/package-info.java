// SPDX-License-Identifier: Apache-2.0
/** Traces one packet through a firewall: the verdict, its rule, and the packet afterwards. */
@NullMarked
package org.sextant.sera.trace;

import org.jspecify.annotations.NullMarked;
