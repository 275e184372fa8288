// SPDX-License-Identifier: Apache-2.0
/** SIDs to the bit: formats, packing over atoms (RFC 9800, 6), the packet walk, and the cost of an encapsulation. */
package org.sextant.core.sid;
