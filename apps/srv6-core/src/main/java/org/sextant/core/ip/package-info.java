// SPDX-License-Identifier: Apache-2.0
/** Addresses as values. {@link org.sextant.core.ip.Ipv6} is also what SIDs and uSID containers are made of. */
package org.sextant.core.ip;
