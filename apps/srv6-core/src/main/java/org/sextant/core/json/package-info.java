// SPDX-License-Identifier: Apache-2.0
/** Reading of untrusted JSON. */
package org.sextant.core.json;
