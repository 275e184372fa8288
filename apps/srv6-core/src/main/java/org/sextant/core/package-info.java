// SPDX-License-Identifier: Apache-2.0
/** The core of Sextant. It depends on no host: {@link org.sextant.core.port} is its interface to them. */
package org.sextant.core;
