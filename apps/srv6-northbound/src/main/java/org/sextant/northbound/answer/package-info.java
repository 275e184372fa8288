// SPDX-License-Identifier: Apache-2.0
/** Common parts of the REST resources of all apps: answers too long to be held, and pages of them. */
package org.sextant.northbound.answer;
