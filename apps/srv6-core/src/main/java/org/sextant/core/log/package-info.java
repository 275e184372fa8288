// SPDX-License-Identifier: Apache-2.0
/** What a host logs of the engine. */
package org.sextant.core.log;
