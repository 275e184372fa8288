// SPDX-License-Identifier: Apache-2.0
package org.sextant.karaf.host;

import java.util.List;
import java.util.Optional;
import org.sextant.core.port.Coordination;
import org.sextant.core.port.Member;
import org.sextant.core.port.Subscription;

/** The only controller there is acts for every key. */
final class StandaloneCoordination implements Coordination {
    private final Member self;

    StandaloneCoordination(Member self) {
        this.self = self;
    }

    @Override
    public boolean isMine(String key) {
        return true;
    }

    @Override
    public List<Member> members() {
        return List.of(self);
    }

    @Override
    public Optional<String> leaderOf(String key) {
        return Optional.of(self.id());
    }

    @Override
    public Subscription onChange(Runnable listener) {
        return () -> {};
    }
}
