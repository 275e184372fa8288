// SPDX-License-Identifier: Apache-2.0
/**
 * The record of changes, with user, time and address: a file of JSON lines to which lines are only added, each of which
 * holds the hash of the one before (docs/reference/audit-trail.md).
 */
package org.sextant.northbound.audit;
