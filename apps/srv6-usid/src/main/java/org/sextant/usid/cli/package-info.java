// SPDX-License-Identifier: Apache-2.0
/** Policies by shell: the commands {@code srv6:policy…}. */
package org.sextant.usid.cli;
