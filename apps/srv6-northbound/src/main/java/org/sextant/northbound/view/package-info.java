// SPDX-License-Identifier: Apache-2.0
/** Renders the core's values to JSON, once for REST and CLI. */
package org.sextant.northbound.view;
