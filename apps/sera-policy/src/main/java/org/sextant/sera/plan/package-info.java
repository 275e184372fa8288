// SPDX-License-Identifier: Apache-2.0
/** What a firewall comes to: the rows of its rules, its SID, and what is noticeable about its rules. */
@NullMarked
package org.sextant.sera.plan;

import org.jspecify.annotations.NullMarked;
