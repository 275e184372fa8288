// SPDX-License-Identifier: Apache-2.0
package org.sextant.core.loop;

/**
 * Receives each message of an event loop when it is handled, with its effects; on the loop's thread, so it must not
 * block.
 */
public interface Recorder {

    void handled(Frame frame);
}
