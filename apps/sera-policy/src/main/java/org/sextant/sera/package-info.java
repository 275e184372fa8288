// SPDX-License-Identifier: Apache-2.0
/** Firewalls as an operator writes them: rules, groups, the strict JSON of both, and versions. */
@NullMarked
package org.sextant.sera;

import org.jspecify.annotations.NullMarked;
