// SPDX-License-Identifier: Apache-2.0
/** Live-Live flows by shell: the commands {@code srv6:livelive…}. */
package org.sextant.livelive.cli;
