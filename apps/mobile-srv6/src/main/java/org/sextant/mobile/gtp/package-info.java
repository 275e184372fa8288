// SPDX-License-Identifier: Apache-2.0
/** Explains a captured GTP-U packet: its slice and session at each gateway, and the packet after translation. */
package org.sextant.mobile.gtp;
