// SPDX-License-Identifier: Apache-2.0
/** Addresses as values. SIDs and uSID containers are {@link org.sextant.core.ip.Ipv6} values, too. */
package org.sextant.core.ip;
