// SPDX-License-Identifier: Apache-2.0
/** The core of Sextant. It knows no host: the world reaches it through {@link org.sextant.core.port}. */
package org.sextant.core;
