// SPDX-License-Identifier: Apache-2.0
/** Probes of policies, with a resource and a command of their own. */
package org.sextant.usid.probe;
