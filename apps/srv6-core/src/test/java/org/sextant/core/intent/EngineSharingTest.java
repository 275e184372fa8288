// SPDX-License-Identifier: Apache-2.0
package org.sextant.core.intent;

import static org.assertj.core.api.Assertions.assertThat;
import static org.sextant.core.intent.Bench.await;
import static org.sextant.core.intent.Toy.toy;

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.DisplayNameGeneration;
import org.junit.jupiter.api.DisplayNameGenerator;
import org.junit.jupiter.api.Test;
import org.sextant.core.Problem;
import org.sextant.core.ip.IpPrefix;
import org.sextant.core.port.DataPlane.Code;
import org.sextant.core.table.Behavior;
import org.sextant.core.table.Entry;
import org.sextant.core.table.MySid;

/** Entries that several intents desire: installed once, for as long as one of them desires it. */
@DisplayNameGeneration(DisplayNameGenerator.ReplaceUnderscores.class)
class EngineSharingTest {

    /** Ends in a SID that all toys of the kind share; the VRF behind it is the first digit of the name. */
    private static final class Sharing extends Toy.Kind {
        Sharing() {
            super("sharing");
        }

        @Override
        public String identity(Toy toy) {
            return toy.name();
        }

        @Override
        public boolean shares(Entry entry) {
            return entry instanceof MySid;
        }

        @Override
        public Plan compile(NumberedIntent<Toy> intent, CompileContext context) {
            Toy toy = intent.intent();
            List<Plan.Placed> entries = new ArrayList<>(List.of(
                    new Plan.Placed(toy.head(), toy.list(intent.number())),
                    new Plan.Placed(toy.head(), toy.steering(intent.number())),
                    new Plan.Placed(toy.tail(), sid(toy.name().charAt(0) - '0'))));
            return new Plan(entries, Explained.NOTHING, List.of(), List.of(), Dependence.NOTHING);
        }

        static MySid sid(int vrf) {
            return new MySid(IpPrefix.parse("fcbb:bbbb:0:fe02::/64"), new Behavior.Udt(Behavior.Family.IPV6, vrf));
        }
    }

    private final Sharing kind = new Sharing();
    private final Bench bench = Bench.started();

    EngineSharingTest() {
        bench.engine.register(kind);
        await(bench.engine
                .submit(kind, List.of(toy("1x", "fd00:1::/64", "a b"), toy("1y", "fd00:2::/64", "c b")))
                .settled());
    }

    @AfterEach
    void close() {
        bench.close();
    }

    @Test
    void a_shared_entry_is_written_once_and_names_all_its_owners() {
        assertThat(bench.log()).filteredOn(line -> line.startsWith("b")).hasSize(1);
        assertThat(bench.engine.entries(EntryFilter.ofNode("b")))
                .singleElement()
                .satisfies(entry -> assertThat(entry.owners())
                        .containsExactly(new IntentRef("sharing", "1x"), new IntentRef("sharing", "1y")));
    }

    @Test
    void it_stays_until_the_last_owner_goes() {
        await(bench.engine.withdraw(kind, List.of("1x")));
        assertThat(bench.dataPlane.held("b").values()).containsExactly(Sharing.sid(1));
        await(bench.engine.withdraw(kind, List.of("1y")));
        assertThat(bench.dataPlane.held("b")).isEmpty();
    }

    @Test
    void who_wants_something_else_there_is_in_conflict() {
        Submission<Toy> other = bench.engine.submit(kind, List.of(toy("2z", "fd00:3::/64", "d b")));
        assertThat(other.outcomes().get(0).problems()).singleElement().satisfies(problem -> {
            assertThat(problem.code()).isEqualTo(Problem.Code.CONFLICT);
            assertThat(problem.message()).contains("node b").contains("1x");
        });
    }

    @Test
    void undoing_one_owner_leaves_the_others_entry() {
        bench.dataPlane.refuse("d", update -> true, Code.INTERNAL, "no");
        await(bench.engine
                .submit(kind, List.of(toy("1z", "fd00:3::/64", "d b")))
                .settled());
        assertThat(bench.engine.get(kind, "1z").orElseThrow().state()).isEqualTo(IntentState.FAILED);
        assertThat(bench.dataPlane.held("b").values()).containsExactly(Sharing.sid(1));
        assertThat(bench.engine.get(kind, "1x").orElseThrow().state()).isEqualTo(IntentState.INSTALLED);
    }
}
