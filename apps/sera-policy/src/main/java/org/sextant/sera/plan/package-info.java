// SPDX-License-Identifier: Apache-2.0
/** Compiles a firewall: the entries of its rules, its SID, and the findings about its rules. */
@NullMarked
package org.sextant.sera.plan;

import org.jspecify.annotations.NullMarked;
