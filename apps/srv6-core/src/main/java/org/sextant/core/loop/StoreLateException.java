// SPDX-License-Identifier: Apache-2.0
package org.sextant.core.loop;

import org.sextant.core.port.StoreUnavailableException;

/** The store has not answered yet, and the engine's thread does not wait for it any longer. */
public final class StoreLateException extends StoreUnavailableException {
    private static final long serialVersionUID = 1L;

    private final boolean asked;

    /** @param asked true if the call was made; if not, an earlier one has not answered */
    public StoreLateException(boolean asked) {
        super("the store has not answered yet");
        this.asked = asked;
    }

    boolean asked() {
        return asked;
    }
}
