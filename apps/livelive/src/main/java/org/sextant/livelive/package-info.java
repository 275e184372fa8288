// SPDX-License-Identifier: Apache-2.0
/** Live-Live: the operator's intent ({@link org.sextant.livelive.LiveLive}), its JSON, and that of the engine. */
package org.sextant.livelive;
