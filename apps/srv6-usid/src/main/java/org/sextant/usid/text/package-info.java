// SPDX-License-Identifier: Apache-2.0
/** Policies and plans as text; the shell and the offline explain share it. */
package org.sextant.usid.text;
