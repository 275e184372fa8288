// SPDX-License-Identifier: Apache-2.0
package org.sextant.core.replay;

/** A recorded message causes other calls in the replay than in the recording. */
final class DivergenceException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    DivergenceException(String message) {
        super(message);
    }
}
