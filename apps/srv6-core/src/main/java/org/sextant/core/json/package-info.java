// SPDX-License-Identifier: Apache-2.0
/** Reading what strangers send. */
package org.sextant.core.json;
