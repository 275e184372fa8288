// SPDX-License-Identifier: Apache-2.0
package org.sextant.usid;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;
import java.util.stream.IntStream;
import org.sextant.core.intent.SetupHoldPriority;
import org.sextant.core.json.JsonInput;
import org.sextant.core.shape.Elements;
import org.sextant.core.shape.Field;
import org.sextant.core.shape.FieldGroup;
import org.sextant.core.shape.Forms;
import org.sextant.core.shape.IntegerNumber;
import org.sextant.core.shape.ObjectShape;
import org.sextant.core.shape.Shape;
import org.sextant.core.shape.Values;
import org.sextant.usid.Candidate.Choice;
import org.sextant.usid.Candidate.Composite;
import org.sextant.usid.Candidate.Constituent;
import org.sextant.usid.Candidate.Dynamic;
import org.sextant.usid.Candidate.Explicit;
import org.sextant.usid.Candidate.Twin;
import org.sextant.usid.Policy.WeightedHops;

/** The declaration of candidate paths: explicit, computed or composite. */
final class CandidateShape {
    /** The maximum number of candidate paths; each may have to be computed. */
    private static final int MOST = 16;

    private static final Field<Constituent, Long> COLOR = Field.required(
            "color",
            "the color of a policy between the same two nodes",
            new IntegerNumber(1, Terms.MAX_COLOR),
            "name the color of a policy between the same two nodes",
            Constituent::color);
    private static final Field<Constituent, Integer> WEIGHT =
            Field.standard("weight", "its share of the traffic", IntegerNumber.between(1, 255), 1, Constituent::weight);
    private static final ObjectShape<Constituent> CONSTITUENT = ObjectShape.of(
            "a policy by its color",
            List.of(COLOR, WEIGHT),
            values -> new Constituent(values.get(COLOR), values.get(WEIGHT)));

    private static final Field<Composite, List<Constituent>> COMPOSITE = Field.required(
            "composite",
            "policies from the same headend to the same endpoint, each with its share (RFC 9256, 5.3)",
            Elements.of(CONSTITUENT)
                    .sized(
                            1,
                            MOST,
                            count -> count == 0
                                    ? "it is composed of nothing"
                                    : count + " policies are more than " + MOST,
                            count -> count == 0 ? "name a color at least" : "leave some out")
                    .rule(CandidateShape::colorsOnce),
            "name a color at least",
            Composite::of);
    private static final Field<Dynamic, Dynamic> DYNAMIC = Field.required(
            "dynamic",
            "a path that the controller computes",
            DynamicShape.DYNAMIC,
            "write {} for the shortest one",
            Function.identity());
    private static final FieldGroup<Explicit, List<WeightedHops>> LISTS =
            FieldGroup.of(SegmentListShape.LISTS, Explicit::lists);

    private static final Forms<Candidate, Choice> CHOICE = Forms.of(Candidate::choice, CandidateShape::oneForm)
            .form(
                    values -> values.has(COMPOSITE),
                    ObjectShape.of("composite", List.of(COMPOSITE), values -> new Composite(values.get(COMPOSITE))),
                    Composite.class)
            .form(
                    values -> values.has(DYNAMIC),
                    ObjectShape.of("computed", List.of(DYNAMIC), values -> values.get(DYNAMIC)),
                    Dynamic.class)
            .form(
                    values -> true,
                    ObjectShape.of("explicit", List.of(LISTS), values -> new Explicit(values.get(LISTS))),
                    Explicit.class);

    private static final Field<Candidate, Long> PREFERENCE = Field.standard(
            "preference",
            "the valid candidate path with the highest is active",
            new IntegerNumber(0, Candidate.MAX),
            Candidate.DEFAULT_PREFERENCE,
            Candidate::preference);
    private static final Field<Candidate, Long> DISCRIMINATOR = Field.standard(
                    "discriminator",
                    "of equal preferences and origins the higher one is active; unique per origin, except 0; absent: 0",
                    new IntegerNumber(0, Candidate.MAX),
                    0L,
                    Candidate::discriminator)
            .writtenUnlessDefault();
    private static final FieldGroup<Candidate, Origin> ORIGIN = FieldGroup.of(OriginShape.ORIGIN, Candidate::origin);

    private static final ObjectShape<Candidate> CANDIDATE = ObjectShape.of(
                    "a path that is computed, composed of other policies, or explicit: hops or segmentLists",
                    List.of(PREFERENCE, DISCRIMINATOR, ORIGIN, CHOICE),
                    values -> new Candidate(
                            values.get(PREFERENCE), values.get(ORIGIN), values.get(DISCRIMINATOR), values.get(CHOICE)))
            .named("CandidatePath");

    static final Shape<List<Candidate>> CANDIDATES = Elements.of(CANDIDATE)
            .sized(
                    1,
                    MOST,
                    count -> count == 0
                            ? "there is no candidate path"
                            : count + " candidate paths are more than " + MOST,
                    count -> count == 0 ? "give one at least" : "leave those out that are never taken")
            .rule(CandidateShape::keysOnce)
            .rule(CandidateShape::samePriorities)
            .rule(CandidateShape::pairs);

    private CandidateShape() {}

    private static void oneForm(Values<Candidate> values) {
        boolean composed = values.has(COMPOSITE);
        boolean computed = values.has(DYNAMIC);
        boolean listed = values.has(SegmentListShape.HOPS) | values.has(SegmentListShape.SEGMENT_LISTS);
        if ((computed || composed) && listed || computed && composed) {
            values.invalid(
                    computed ? DYNAMIC : COMPOSITE,
                    composed
                            ? "a candidate path is composed, computed or written down, one of them"
                            : "a candidate path is computed or written down, not both",
                    composed ? "leave the others out" : "leave dynamic out, or hops and segmentLists");
        }
    }

    private static void colorsOnce(List<Optional<Constituent>> all, List<JsonInput> inputs) {
        List<Optional<Long>> colors =
                all.stream().map(one -> one.map(Constituent::color)).toList();
        for (int i = 1; i < colors.size(); i++) {
            if (colors.get(i).isPresent() && colors.subList(0, i).contains(colors.get(i))) {
                inputs.get(i)
                        .invalid(
                                "/color",
                                "color " + colors.get(i).get() + " is named twice",
                                "name it once, with the sum of the weights");
            }
        }
    }

    /** Reports candidate paths without an order between them (RFC 9256, 2.6 and 2.9). */
    private static void keysOnce(List<Optional<Candidate>> candidates, List<JsonInput> inputs) {
        List<Optional<Candidate.Key>> keys =
                candidates.stream().map(one -> one.map(Candidate::key)).toList();
        for (int i = 1; i < keys.size(); i++) {
            for (int j = 0; j < i && keys.get(i).isPresent(); j++) {
                if (keys.get(i).equals(keys.get(j))) {
                    Candidate candidate = candidates.get(i).orElseThrow();
                    String both = "candidate paths " + j + " and " + i + " have the same ";
                    inputs.get(i)
                            .invalid(
                                    candidate.discriminator() == 0
                                            ? both + "preference, " + candidate.preference()
                                            : both + "discriminator, " + candidate.discriminator()
                                                    + ", and the same origin",
                                    "give each one of its own, or a \"discriminator\": of equal preferences the higher one is"
                                            + " taken");
                }
            }
        }
    }

    /** All candidate paths have the same priorities: they apply to the policy, whichever path is active. */
    private static void samePriorities(List<Optional<Candidate>> candidates, List<JsonInput> inputs) {
        Optional<SetupHoldPriority> first = Optional.empty();
        for (int i = 0; i < candidates.size(); i++) {
            Optional<SetupHoldPriority> standing = candidates
                    .get(i)
                    .flatMap(CandidateShape::dynamic)
                    .flatMap(Dynamic::demand)
                    .map(Candidate.Demand::standing);
            if (standing.isPresent() && first.isPresent() && !standing.equals(first)) {
                inputs.get(i)
                        .invalid(
                                "/dynamic/setupPriority",
                                "candidate paths of one policy have the same setup and hold priority, as they are never taken"
                                        + " together",
                                "write " + first.get().setup() + " and "
                                        + first.get().hold() + " as before");
            }
            first = first.or(() -> standing);
        }
    }

    /** Disjoint paths are computed in pairs, so each is in one pair only. */
    private static void pairs(List<Optional<Candidate>> candidates, List<JsonInput> inputs) {
        if (candidates.stream().anyMatch(Optional::isEmpty)) {
            return;
        }
        List<Candidate> all = candidates.stream().flatMap(Optional::stream).toList();
        Map<Integer, Set<Integer>> pairs = new HashMap<>();
        for (int i = 0; i < all.size(); i++) {
            Optional<Twin> twin = twin(all.get(i));
            if (twin.isPresent()) {
                pair(all, i, twin.get(), inputs.get(i), pairs);
            }
        }
    }

    private static void pair(
            List<Candidate> candidates, int own, Twin twin, JsonInput input, Map<Integer, Set<Integer>> pairs) {
        int[] others = IntStream.range(0, candidates.size())
                .filter(i -> candidates.get(i).preference() == twin.preference())
                .toArray();
        if (others.length != 1 || others[0] == own) {
            input.invalid(
                    "/dynamic/disjointFrom",
                    others.length == 0
                            ? "there is no candidate path of preference " + twin.preference()
                            : others.length > 1
                                    ? "there are several candidate paths of preference " + twin.preference()
                                    : "a path is not disjoint from itself",
                    "write the preference that another candidate path has, and no third one");
            return;
        }
        int other = others[0];
        Set<Integer> pair = Set.of(own, other);
        boolean again = !pairs.getOrDefault(own, pair).equals(pair)
                || !pairs.getOrDefault(other, pair).equals(pair)
                || twin(candidates.get(other))
                        .filter(back -> back.share() != twin.share())
                        .isPresent();
        if (again) {
            input.invalid(
                    "/dynamic/disjointFrom",
                    "candidate paths are disjoint two by two, and both mean the same by it: one of these is in another pair, or"
                            + " says something else",
                    "take the reference out of one of them");
        }
        pairs.put(own, pair);
        pairs.put(other, pair);
    }

    private static Optional<Dynamic> dynamic(Candidate candidate) {
        return candidate.choice() instanceof Dynamic dynamic ? Optional.of(dynamic) : Optional.empty();
    }

    private static Optional<Twin> twin(Candidate candidate) {
        return dynamic(candidate).flatMap(Dynamic::twin);
    }
}
