// SPDX-License-Identifier: Apache-2.0
/** SR policies over uSIDs: what operators ask for at /srv6/policies, and how it becomes entries. */
package org.sextant.usid;
