// SPDX-License-Identifier: Apache-2.0
package org.sextant.core.filter;

import java.util.List;

/** The result of checking that boxes together contain all packets of another one. */
public enum Cover {
    WHOLE,
    /** Some packet is in none of them. */
    NOT_WHOLE,
    /** The check exceeded its budget. */
    UNDECIDED;

    /**
     * Looks for a packet in none of {@code covers}, part by part, so that the first one that is found is the answer.
     *
     * @param budget the number of boxes to visit
     */
    public static Cover of(Box box, List<Box> covers, int budget) {
        return new Search(budget).of(box, covers);
    }

    /** Several questions that share one budget. */
    public static final class Search {
        private int left;

        public Search(int budget) {
            left = budget;
        }

        /** The rest of the budget of boxes; negative once it did not suffice. */
        public int left() {
            return left;
        }

        /** As {@link Cover#of}; undecided from the question on that exceeds the budget. */
        public Cover of(Box box, List<Box> covers) {
            boolean found = uncovered(box, covers);
            return found ? NOT_WHOLE : left < 0 ? UNDECIDED : WHOLE;
        }

        /** True if some packet of the box is known to be in none; ends early when the budget is used up. */
        private boolean uncovered(Box box, List<Box> covers) {
            left -= 1 + covers.size();
            if (left < 0) {
                return false;
            }
            List<Box> meeting = covers.stream().filter(box::intersects).toList();
            if (meeting.isEmpty()) {
                return true;
            }
            if (meeting.stream().anyMatch(cover -> cover.covers(box))) {
                return false;
            }
            Box first = meeting.get(0);
            List<Box> others = meeting.subList(1, meeting.size());
            for (Box part : box.subtract(first)) {
                if (uncovered(part, others)) {
                    return true;
                }
                if (left < 0) {
                    return false;
                }
            }
            return false;
        }
    }
}
