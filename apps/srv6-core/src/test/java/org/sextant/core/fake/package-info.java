// SPDX-License-Identifier: Apache-2.0
/** The four ports in memory, with the ways in which the real ones fail. For the tests of the core, apps and platforms. */
package org.sextant.core.fake;
