// SPDX-License-Identifier: Apache-2.0
/** Firewalls made of what other firewalls print: ip6tables-save, iptables-save, nft list ruleset. */
@NullMarked
package org.sextant.sera.imports;

import org.jspecify.annotations.NullMarked;
