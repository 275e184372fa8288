// SPDX-License-Identifier: Apache-2.0
/**
 * Live-Live: what an operator asks for ({@link org.sextant.livelive.LiveLive}), its JSON form, and the intent that the
 * engine keeps of it.
 */
package org.sextant.livelive;
