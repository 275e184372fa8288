// SPDX-License-Identifier: Apache-2.0
/** Trying policies: what they have beside other apps, with a resource and a command of its own. */
package org.sextant.usid.probe;
