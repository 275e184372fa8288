// SPDX-License-Identifier: Apache-2.0
package org.sextant.contract;

import java.util.List;

/** An action and its parameters in the order of their ids. */
public record Action(int id, String name, List<Param> params) {
    public Action {
        params = List.copyOf(params);
    }
}
