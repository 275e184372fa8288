// SPDX-License-Identifier: Apache-2.0
/** What becomes of a captured GTP-U packet: which slice and session take it at which gateway, and as what it travels. */
package org.sextant.mobile.gtp;
