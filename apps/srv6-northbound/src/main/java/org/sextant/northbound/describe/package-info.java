// SPDX-License-Identifier: Apache-2.0
/** The OpenAPI of an app, written when the app is built. */
package org.sextant.northbound.describe;
