// SPDX-License-Identifier: Apache-2.0
package org.sextant.onos.table;

import java.math.BigInteger;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.onlab.util.ImmutableByteSequence;
import org.onosproject.core.ApplicationId;
import org.onosproject.net.DeviceId;
import org.onosproject.net.flow.DefaultFlowRule;
import org.onosproject.net.flow.DefaultTrafficSelector;
import org.onosproject.net.flow.DefaultTrafficTreatment;
import org.onosproject.net.flow.FlowRule;
import org.onosproject.net.flow.TrafficSelector;
import org.onosproject.net.flow.TrafficTreatment;
import org.onosproject.net.flow.criteria.Criterion;
import org.onosproject.net.flow.criteria.PiCriterion;
import org.onosproject.net.flow.instructions.PiInstruction;
import org.onosproject.net.pi.model.PiActionId;
import org.onosproject.net.pi.model.PiActionParamId;
import org.onosproject.net.pi.model.PiMatchFieldId;
import org.onosproject.net.pi.model.PiTableId;
import org.onosproject.net.pi.runtime.PiAction;
import org.onosproject.net.pi.runtime.PiActionParam;
import org.onosproject.net.pi.runtime.PiExactFieldMatch;
import org.onosproject.net.pi.runtime.PiTableAction;
import org.sextant.core.table.Entry;
import org.sextant.core.table.MalformedEntryException;
import org.sextant.core.table.MulticastGroup;
import org.sextant.core.table.TableCodec;
import org.sextant.core.table.TableEntry;
import org.sextant.core.table.TableEntry.Argument;
import org.sextant.core.table.TableEntry.Call;
import org.sextant.core.table.TableEntry.Weighted;

/*
 * Weighted sets. ONOS 2.7 has a class for them, PiActionSet, but its cluster store cannot serialize it, and the way over
 * action profile groups takes three writes where the contract has one. So a set travels through ONOS's stores as one
 * PiAction, SET, with a parameter per member's weight and argument ("2.segments_3.weight", "2.segments_3.segment_1"),
 * and our driver, which alone sends it to a node, makes a one-shot set of it. Members stand sorted, because neither
 * ONOS nor a node keeps their order, and ONOS replaces a rule whose treatment it finds changed.
 */

/*
 * Multicast groups. ONOS's group service follows a node by seconds and reports no reason, and never reads back the
 * groups that it writes. So a group, too, travels as a rule, of a table that no pipeline has, and our driver writes it
 * as a group.
 */

/** Rows of the contract as ONOS's flow rules, for one pipeline. */
public final class FlowRules {
    private static final PiActionId SET = PiActionId.of("sextant.set");
    private static final String WEIGHT = "weight";
    private static final PiTableId GROUPS = PiTableId.of("sextant." + MulticastGroup.TABLE);
    private static final PiMatchFieldId GROUP_ID = PiMatchFieldId.of("id");
    private static final PiActionId COPIES = PiActionId.of("sextant." + MulticastGroup.ACTION);
    private static final PiActionParamId PORT = PiActionParamId.of("port");
    private static final PiActionParamId COUNT = PiActionParamId.of("copies");
    static final Comparator<Weighted> MEMBER_ORDER = Comparator.comparing(Weighted::toString);

    private final PipelineNames names;
    private final ApplicationId app;

    public FlowRules(PipelineNames names, ApplicationId app) {
        this.names = names;
        this.app = app;
    }

    /** @throws MalformedEntryException if the contract has no such row, or the pipeline lacks the table or an action */
    public FlowRule encode(DeviceId device, Entry entry) {
        return entry instanceof MulticastGroup group ? group(device, group) : encode(device, TableCodec.encode(entry));
    }

    private FlowRule group(DeviceId device, MulticastGroup group) {
        PiAction copies = PiAction.builder()
                .withId(COPIES)
                .withParameter(new PiActionParam(PORT, ImmutableByteSequence.copyFrom(group.port())))
                .withParameter(new PiActionParam(COUNT, ImmutableByteSequence.copyFrom(group.copies())))
                .build();
        return DefaultFlowRule.builder()
                .forDevice(device)
                .forTable(GROUPS)
                .fromApp(app)
                .withPriority(0)
                .withSelector(DefaultTrafficSelector.builder()
                        .matchPi(PiCriterion.builder()
                                .matchExact(GROUP_ID, group.id())
                                .build())
                        .build())
                .withTreatment(
                        DefaultTrafficTreatment.builder().piTableAction(copies).build())
                .makePermanent()
                .build();
    }

    /** The multicast group that a rule stands for. */
    public static Optional<MulticastGroup> group(FlowRule rule) {
        if (!GROUPS.equals(rule.table())) {
            return Optional.empty();
        }
        PiCriterion match = (PiCriterion) rule.selector().getCriterion(Criterion.Type.PROTOCOL_INDEPENDENT);
        PiExactFieldMatch id = (PiExactFieldMatch) match.fieldMatch(GROUP_ID).orElseThrow();
        PiAction copies = piActions(rule.treatment()).findFirst().orElseThrow();
        return Optional.of(
                new MulticastGroup(PiParts.number(id.value()).intValue(), number(copies, PORT), number(copies, COUNT)));
    }

    private static int number(PiAction action, PiActionParamId id) {
        return action.parameters().stream()
                .filter(param -> param.id().equals(id))
                .mapToInt(param -> PiParts.number(param.value()).intValue())
                .findFirst()
                .orElseThrow();
    }

    /**
     * Empty for a rule that is not the contract's.
     *
     * @throws MalformedEntryException if it is, but not as the contract wants it
     */
    public static Optional<Entry> entry(FlowRule rule) {
        return group(rule).<Entry>map(group -> group).or(() -> decode(rule).map(TableCodec::decode));
    }

    /** @throws MalformedEntryException if the pipeline lacks the table or an action */
    public FlowRule encode(DeviceId device, TableEntry row) {
        PiTableId table = names.table(row.table())
                .orElseThrow(() ->
                        new MalformedEntryException(row.table(), "the pipeline of " + device + " has no such table"));
        return DefaultFlowRule.builder()
                .forDevice(device)
                .forTable(table)
                .fromApp(app)
                .withPriority(row.priority())
                .withSelector(selector(row))
                .withTreatment(treatment(device, row))
                .makePermanent()
                .build();
    }

    private static TrafficSelector selector(TableEntry row) {
        if (row.matches().isEmpty()) {
            return DefaultTrafficSelector.emptySelector();
        }
        PiCriterion.Builder criterion = PiCriterion.builder();
        row.matches().forEach(match -> criterion.add(PiParts.match(row.table(), match)));
        return DefaultTrafficSelector.builder().matchPi(criterion.build()).build();
    }

    private TrafficTreatment treatment(DeviceId device, TableEntry row) {
        PiTableAction action;
        if (row.action() instanceof TableEntry.Action.Direct direct) {
            action = PiParts.action(offered(device, row.table(), direct.call()), direct.call());
        } else {
            List<Weighted> members = ((TableEntry.Action.OneShot) row.action()).members();
            members.forEach(member -> offered(device, row.table(), member.call()));
            action = set(members);
        }
        return DefaultTrafficTreatment.builder().piTableAction(action).build();
    }

    private PiActionId offered(DeviceId device, String table, Call call) {
        return names.action(table, call.action())
                .orElseThrow(() -> new MalformedEntryException(
                        table, "the pipeline of " + device + " has no action " + call.action() + " there"));
    }

    private static PiAction set(List<Weighted> members) {
        PiAction.Builder set = PiAction.builder().withId(SET);
        List<Weighted> sorted = members.stream().sorted(MEMBER_ORDER).toList();
        for (int i = 0; i < sorted.size(); i++) {
            Call call = sorted.get(i).call();
            String prefix = i + "." + call.action() + ".";
            add(
                    set,
                    prefix + WEIGHT,
                    PiParts.bytes(BigInteger.valueOf(sorted.get(i).weight()), Integer.SIZE));
            call.arguments().forEach(argument -> add(set, prefix + argument.param(), PiParts.bytes(call, argument)));
        }
        return set.build();
    }

    private static void add(PiAction.Builder set, String name, ImmutableByteSequence value) {
        set.withParameter(new PiActionParam(PiActionParamId.of(name), value));
    }

    /** Empty for a rule that is not the contract's. */
    public static Optional<TableEntry> decode(FlowRule rule) {
        Optional<String> table = rule.table() instanceof PiTableId id ? PipelineNames.table(id) : Optional.empty();
        return table.flatMap(name -> action(rule.treatment()).map(action -> {
            Criterion criterion = rule.selector().getCriterion(Criterion.Type.PROTOCOL_INDEPENDENT);
            List<TableEntry.Match> matches =
                    criterion instanceof PiCriterion pi ? PiParts.matches(name, pi.fieldMatches()) : List.of();
            boolean keyless = org.sextant.contract.Tables.byName(name)
                    .orElseThrow()
                    .fields()
                    .isEmpty();
            return new TableEntry(name, matches, action, keyless, rule.priority());
        }));
    }

    private static Optional<TableEntry.Action> action(TrafficTreatment treatment) {
        return piActions(treatment)
                .findFirst()
                .flatMap(action -> action.id().equals(SET)
                        ? members(action)
                        : PiParts.call(action).map(TableEntry.Action.Direct::new));
    }

    private static Stream<PiAction> piActions(TrafficTreatment treatment) {
        return treatment.allInstructions().stream()
                .filter(PiInstruction.class::isInstance)
                .map(instruction -> ((PiInstruction) instruction).action())
                .filter(PiAction.class::isInstance)
                .map(PiAction.class::cast);
    }

    private static Optional<TableEntry.Action> members(PiAction set) {
        SortedMap<Integer, PiAction.Builder> calls = new TreeMap<>();
        SortedMap<Integer, Integer> weights = new TreeMap<>();
        for (PiActionParam param : set.parameters()) {
            String[] parts = param.id().id().split("\\.", 3);
            int index = Integer.parseInt(parts[0]);
            PiAction.Builder call =
                    calls.computeIfAbsent(index, i -> PiAction.builder().withId(PiActionId.of(parts[1])));
            if (parts[2].equals(WEIGHT)) {
                weights.put(index, PiParts.number(param.value()).intValue());
            } else {
                call.withParameter(new PiActionParam(PiActionParamId.of(parts[2]), param.value()));
            }
        }
        List<Weighted> members = new ArrayList<>();
        calls.forEach((index, call) -> PiParts.call(call.build())
                .map(one -> new Weighted(
                        weights.getOrDefault(index, 1), new Call(one.action(), List.<Argument>copyOf(one.arguments()))))
                .ifPresent(members::add));
        return members.size() == calls.size() && !members.isEmpty()
                ? Optional.of(new TableEntry.Action.OneShot(members))
                : Optional.empty();
    }
}
