// SPDX-License-Identifier: Apache-2.0
/** What firewalls match and say, as values: boxes of packets, their algebra, and the rules of one firewall. */
package org.sextant.core.filter;
