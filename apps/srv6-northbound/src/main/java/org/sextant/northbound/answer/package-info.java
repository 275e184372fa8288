// SPDX-License-Identifier: Apache-2.0
/** What the REST resources of all apps share: answers too long to be held, and pages of them. */
package org.sextant.northbound.answer;
