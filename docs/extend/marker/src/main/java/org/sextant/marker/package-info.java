// SPDX-License-Identifier: Apache-2.0
/** A worked example of an app; see docs/extend/add-an-app.md. */
package org.sextant.marker;
