// SPDX-License-Identifier: Apache-2.0
/** Flows as text for people. */
package org.sextant.livelive.text;
