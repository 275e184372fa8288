// SPDX-License-Identifier: Apache-2.0
package org.sextant.core.intent;

import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.sextant.core.Problem;

/**
 * A condition of an intent for a change of it (RFC 9110, 13.1). The engine evaluates it in the step that makes the
 * change, so that no other change comes between the two.
 *
 * @param match tags of which the intent must have one
 * @param noneMatch tags of which it must have none
 */
public record Precondition(Optional<Tags> match, Optional<Tags> noneMatch) {

    /** Whatever it is. */
    public static final Precondition NONE = new Precondition(Optional.empty(), Optional.empty());

    /**
     * Entity tags without their quotes.
     *
     * @param any one of any tag, as long as there is one ({@code *})
     */
    public record Tags(boolean any, Set<String> tags) {
        public static final Tags ANY = new Tags(true, Set.of());

        public Tags {
            tags = Set.copyOf(tags);
        }

        public static Tags of(String... tags) {
            return new Tags(false, Set.of(tags));
        }

        private boolean hold(Optional<String> tag) {
            return tag.filter(one -> any || tags.contains(one)).isPresent();
        }
    }

    /** The intent exists, and has one of these tags. */
    public static Precondition match(Tags tags) {
        return new Precondition(Optional.of(tags), Optional.empty());
    }

    /** The intent does not exist, or has none of these tags. */
    public static Precondition noneMatch(Tags tags) {
        return new Precondition(Optional.empty(), Optional.of(tags));
    }

    public boolean isNone() {
        return equals(NONE);
    }

    /**
     * The strong entity tag of an intent (RFC 9110, 8.8.3), without quotes: a digest of the submitted intent, and of
     * nothing that the network or a node adds to it.
     *
     * @param encoded as its kind stores it
     */
    public static String tag(ObjectNode encoded) {
        return Digest.of(encoded.toString()).hex();
    }

    /** @param tag of the present intent; empty if there is none */
    public List<Problem> against(String called, Optional<String> tag) {
        if (match.isPresent() && !match.get().hold(tag)) {
            return List.of(
                    tag.isPresent()
                            ? unmet(
                                    called + " is not what it was any more",
                                    "look at what it is now, and send what is to become of that with its ETag")
                            : unmet(
                                    "there is no " + called + " any more",
                                    "to make it anew, send it without If-Match"));
        }
        if (noneMatch.isPresent() && noneMatch.get().hold(tag)) {
            return List.of(unmet(
                    "there is a " + called + " already",
                    "take another name, or look at that one and send what is to become of it with its ETag"));
        }
        return List.of();
    }

    /** Another controller was quicker: its change of the intent has not arrived here yet. */
    public Problem overtaken() {
        return new Problem(
                isNone() ? Problem.Code.CONFLICT : Problem.Code.PRECONDITION,
                "",
                "another controller has changed it at the same moment",
                "look at what it is now, and try again");
    }

    private static Problem unmet(String message, String remedy) {
        return new Problem(Problem.Code.PRECONDITION, "", message, remedy);
    }
}
