// SPDX-License-Identifier: Apache-2.0
package org.sextant.onos.table;

import java.math.BigInteger;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;
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
import org.onosproject.net.pi.model.PiTableId;
import org.onosproject.net.pi.runtime.PiAction;
import org.onosproject.net.pi.runtime.PiActionParam;
import org.onosproject.net.pi.runtime.PiTableAction;
import org.sextant.core.table.MalformedEntryException;
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

/** Rows of the contract as ONOS's flow rules, for one pipeline. */
public final class FlowRules {
    private static final PiActionId SET = PiActionId.of("sextant.set");
    private static final String WEIGHT = "weight";
    static final Comparator<Weighted> MEMBER_ORDER = Comparator.comparing(Weighted::toString);

    private final PipelineNames names;
    private final ApplicationId app;

    public FlowRules(PipelineNames names, ApplicationId app) {
        this.names = names;
        this.app = app;
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
        return treatment.allInstructions().stream()
                .filter(PiInstruction.class::isInstance)
                .map(instruction -> ((PiInstruction) instruction).action())
                .filter(PiAction.class::isInstance)
                .map(PiAction.class::cast)
                .findFirst()
                .flatMap(action -> action.id().equals(SET)
                        ? members(action)
                        : PiParts.call(action).map(TableEntry.Action.Direct::new));
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
