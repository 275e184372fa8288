// SPDX-License-Identifier: Apache-2.0
/** Imports firewalls from the output of ip6tables-save, iptables-save and nft list ruleset. */
@NullMarked
package org.sextant.sera.imports;

import org.jspecify.annotations.NullMarked;
