// SPDX-License-Identifier: Apache-2.0
/** The four ports in memory, with the failures of the real ones. For the tests of the core, apps and platforms. */
package org.sextant.core.fake;
