// SPDX-License-Identifier: Apache-2.0
/** The REST application at /srv6: the contributions of apps, and the resources that belong to no app. */
package org.sextant.northbound.rest;
