// SPDX-License-Identifier: Apache-2.0
/** Lists of documents of any kinds, which are compared with the stored intents and admitted as one plan. */
package org.sextant.northbound.apply;
