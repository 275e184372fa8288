// SPDX-License-Identifier: Apache-2.0
/** Who may do what: the roles, and the port by which a host says who its users are. */
package org.sextant.core.access;
