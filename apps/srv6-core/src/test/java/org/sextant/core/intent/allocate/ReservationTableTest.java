// SPDX-License-Identifier: Apache-2.0
package org.sextant.core.intent.allocate;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.stream.IntStream;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import org.junit.jupiter.api.DisplayNameGeneration;
import org.junit.jupiter.api.DisplayNameGenerator;
import org.junit.jupiter.api.Test;
import org.sextant.core.intent.IntentRef;
import org.sextant.core.intent.PreemptionKey;
import org.sextant.core.intent.Reserved;
import org.sextant.core.intent.SetupHoldPriority;
import org.sextant.core.intent.allocate.ReservationTable.Reservations;

/** The order of precedence of intents, and the capacity that is left for each. */
@DisplayNameGeneration(DisplayNameGenerator.ReplaceUnderscores.class)
class ReservationTableTest {
    private static final String LINK = "a/1-b/1";

    private final ReservationTable ledger = new ReservationTable(ref -> Set.of());

    private static IntentRef ref(int number) {
        return new IntentRef("toy", "t" + number);
    }

    private static Reservations account(int number, int setup, int hold, long kbps, Integer... refersTo) {
        Set<IntentRef> refs = Set.copyOf(
                List.of(refersTo).stream().map(ReservationTableTest::ref).toList());
        return new Reservations(
                new PreemptionKey(ref(number), number, new SetupHoldPriority(setup, hold), refs), Map.of(LINK, kbps));
    }

    private List<Integer> order() {
        return ledger.inOrder().stream().map(one -> one.seat().number()).toList();
    }

    private Reserved before(Reservations account) {
        return ledger.before(account.seat(), link -> 100);
    }

    @Test
    void of_equal_priorities_the_older_one_is_first_and_a_better_one_before_all() {
        ledger.put(account(1, 7, 7, 10));
        ledger.put(account(2, 7, 7, 10));
        ledger.put(account(3, 4, 4, 10));
        ledger.put(account(4, 5, 5, 10));
        assertThat(order()).containsExactly(3, 4, 1, 2);
    }

    @Test
    void what_is_hard_to_set_up_may_be_hard_to_take_away() {
        ledger.put(account(1, 7, 0, 10));
        ledger.put(account(2, 3, 3, 10));
        ledger.put(account(3, 7, 0, 10));
        assertThat(order()).as("2 cannot take from 1, nor 3 from 2").containsExactly(1, 2, 3);
    }

    @Test
    void who_refers_to_others_stands_behind_them_whatever_his_priority() {
        ledger.put(account(1, 7, 7, 10));
        ledger.put(account(2, 0, 0, 10, 1));
        ledger.put(account(3, 5, 5, 10));
        assertThat(order()).containsExactly(3, 1, 2);
    }

    @Test
    void of_a_link_that_lacks_it_is_said_who_has_what() {
        Reservations gold = account(2, 3, 3, 60);
        Reservations silver = account(1, 7, 7, 50);
        ledger.put(silver);
        ledger.put(gold);
        assertThat(before(silver).lacking(50)).containsExactly(LINK);
        assertThat(before(silver).lacking(40)).isEmpty();
        assertThat(before(silver).shares(LINK)).containsExactly(new Reserved.Share(ref(2), 60, true));
        assertThat(before(gold).lacking(100)).as("silver gives way").isEmpty();
    }

    @Test
    void who_moves_does_not_count_his_own_share() {
        ledger.put(account(1, 7, 7, 90));
        assertThat(before(account(1, 7, 7, 100)).lacking(100)).isEmpty();
        assertThat(before(account(2, 7, 7, 20)).lacking(20)).containsExactly(LINK);
    }

    @Test
    void one_who_is_to_have_another_priority_is_looked_at_as_if_he_had_it() {
        ledger.put(account(1, 7, 7, 60));
        ledger.put(account(2, 7, 7, 40));
        assertThat(before(account(2, 7, 7, 50)).lacking(50)).containsExactly(LINK);
        assertThat(before(account(2, 6, 6, 50)).lacking(50)).isEmpty();
    }

    @Test
    void what_is_gone_is_gone() {
        ledger.put(account(1, 7, 7, 60));
        ledger.remove(ref(1));
        assertThat(ledger.total(LINK)).isZero();
        assertThat(ledger.links()).isEmpty();
        assertThat(before(account(2, 7, 7, 100)).lacking(100)).isEmpty();
    }

    @Test
    void priorities_are_those_of_the_rfc() {
        assertThatThrownBy(() -> new SetupHoldPriority(8, 0)).hasMessageContaining("from 0 to 7");
        assertThatThrownBy(() -> new SetupHoldPriority(3, 4)).hasMessageContaining("RFC 3209, 4.7.1");
    }

    /**
     * Inserts the accounts in the order of age: each takes its place behind all that it must not preempt; the others
     * move behind it.
     */
    private static List<Integer> oneAfterTheOther(List<Reservations> accounts) {
        List<PreemptionKey> order = new ArrayList<>();
        for (Reservations account : accounts) {
            PreemptionKey comes = account.seat();
            List<PreemptionKey> moved = order.stream()
                    .filter(seat -> comes.standing().setup() < seat.standing().hold())
                    .sorted(Comparator.comparingInt(
                                    (PreemptionKey seat) -> seat.standing().hold())
                            .thenComparingInt(PreemptionKey::number))
                    .toList();
            order.removeAll(moved);
            order.add(comes);
            order.addAll(moved);
        }
        return order.stream().map(PreemptionKey::number).toList();
    }

    @Property(tries = 500)
    void the_order_is_what_comes_of_preempting_one_after_the_other(@ForAll long seed) {
        Random random = new Random(seed);
        List<Reservations> accounts = IntStream.rangeClosed(1, 1 + random.nextInt(9))
                .mapToObj(number -> {
                    int setup = random.nextInt(8);
                    return account(number, setup, random.nextInt(setup + 1), 1);
                })
                .toList();
        List<Reservations> heard = new ArrayList<>(accounts);
        Collections.shuffle(heard, random);
        heard.forEach(ledger::put);
        assertThat(order()).isEqualTo(oneAfterTheOther(accounts));
        accounts.forEach(one -> ledger.remove(one.seat().ref()));
    }
}
