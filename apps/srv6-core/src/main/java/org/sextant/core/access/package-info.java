// SPDX-License-Identifier: Apache-2.0
/** Access control: the roles, and the port to the host's users. */
package org.sextant.core.access;
