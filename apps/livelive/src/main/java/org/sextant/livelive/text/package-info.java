// SPDX-License-Identifier: Apache-2.0
/** Flows as text. */
package org.sextant.livelive.text;
