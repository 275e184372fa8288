// SPDX-License-Identifier: Apache-2.0
/** Compiles a session to entries that name its slice's class, and shows it with the counters of its entries. */
package org.sextant.mobile.session;
