// SPDX-License-Identifier: Apache-2.0
/** Matches and verdicts of firewalls, as values: boxes of packets, their algebra, and the rules of one firewall. */
package org.sextant.core.filter;
