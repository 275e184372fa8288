// SPDX-License-Identifier: Apache-2.0
/** What a firewall says of one packet, which rule says it, and what the packet is afterwards. */
@NullMarked
package org.sextant.sera.trace;

import org.jspecify.annotations.NullMarked;
