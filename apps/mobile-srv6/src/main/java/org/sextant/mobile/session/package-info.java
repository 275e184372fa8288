// SPDX-License-Identifier: Apache-2.0
/** How a session compiles to rows that name its slice, and how it is shown with what its rows counted. */
package org.sextant.mobile.session;
