// SPDX-License-Identifier: Apache-2.0
/**
 * The engine put together from its rooms ({@link org.sextant.core.intent.engine.IntentEngine}); a host runs one.
 */
package org.sextant.core.intent.engine;
