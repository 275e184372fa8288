// SPDX-License-Identifier: Apache-2.0
package org.sextant.onos.driver;

import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import org.onosproject.core.CoreService;
import org.onosproject.drivers.p4runtime.AbstractP4RuntimeHandlerBehaviour;
import org.onosproject.net.flow.DefaultFlowEntry;
import org.onosproject.net.flow.FlowEntry;
import org.onosproject.net.flow.FlowRule;
import org.onosproject.net.flow.FlowRuleProgrammable;
import org.onosproject.net.flow.FlowRuleService;
import org.onosproject.net.pi.runtime.PiCounterCellData;
import org.onosproject.net.pi.runtime.PiEntity;
import org.onosproject.net.pi.runtime.PiHandle;
import org.onosproject.net.pi.runtime.PiMulticastGroupEntry;
import org.onosproject.net.pi.runtime.PiTableEntry;
import org.onosproject.p4runtime.api.P4RuntimeReadClient.ReadRequest;
import org.onosproject.p4runtime.api.P4RuntimeReadClient.ReadResponse;
import org.onosproject.p4runtime.api.P4RuntimeWriteClient.EntityUpdateResponse;
import org.onosproject.p4runtime.api.P4RuntimeWriteClient.EntityUpdateStatus;
import org.onosproject.p4runtime.api.P4RuntimeWriteClient.UpdateType;
import org.onosproject.p4runtime.api.P4RuntimeWriteClient.WriteRequest;
import org.sextant.core.Reason;
import org.sextant.core.port.DataPlane.Code;
import org.sextant.core.port.DataPlane.Failure;
import org.sextant.core.table.MalformedEntryException;
import org.sextant.onos.table.FlowRules;
import org.sextant.onos.table.PiEntries;
import org.sextant.onos.table.PipelineNames;

/**
 * Flow rules on a node of the contract. Unlike ONOS's P4Runtime driver it supports one-shot sets, keeps the reason of a
 * node's refusal, and leaves the rows of a node in place: ONOS's removes every row that this run of ONOS did not write,
 * and so stops all traffic when the controllers start again.
 */
public final class ContractFlowRules extends AbstractP4RuntimeHandlerBehaviour implements FlowRuleProgrammable {
    /** The canonical code that ONOS's client puts in front of the node's sentence. */
    private static final Pattern CODE = Pattern.compile("([A-Z_]+) (.*)", Pattern.DOTALL);
    /** The space and number of an error's origin, which our nodes do not give. */
    private static final String NO_ORIGIN = " (:0)";

    @Override
    public Collection<FlowRule> applyFlowRules(Collection<FlowRule> rules) {
        if (!setupBehaviour("applyFlowRules()")) {
            return refuse(rules, new Failure(Code.UNAVAILABLE, "there is no connection to the node"));
        }
        Map<FlowRule, PiEntity> entries = entries(rules);
        List<FlowRule> present = new ArrayList<>();
        List<FlowRule> done = submit(entries, UpdateType.INSERT, EntityUpdateStatus.ALREADY_EXIST, present);
        entries.keySet().retainAll(present);
        done.addAll(submit(entries, UpdateType.MODIFY, null, present));
        return done;
    }

    @Override
    public Collection<FlowRule> removeFlowRules(Collection<FlowRule> rules) {
        if (!setupBehaviour("removeFlowRules()")) {
            return refuse(rules, new Failure(Code.UNAVAILABLE, "there is no connection to the node"));
        }
        List<FlowRule> unwanted =
                rules.stream().filter(rule -> !isOverwritten(rule)).toList();
        List<FlowRule> absent = new ArrayList<>();
        List<FlowRule> done = submit(entries(unwanted), UpdateType.DELETE, EntityUpdateStatus.NOT_FOUND, absent);
        done.addAll(absent);
        return done;
    }

    /**
     * True of a row that ONOS read from the node and wishes otherwise: it has it removed first, then writes its wish,
     * so that packets in between are lost; and where it read before the wish was written, it is the wish that would go.
     */
    private boolean isOverwritten(FlowRule rule) {
        if (!(rule instanceof FlowEntry)) {
            return false; // an application's removal
        }
        for (FlowEntry wish : handler().get(FlowRuleService.class).getFlowEntries(deviceId)) {
            if (wish.id().equals(rule.id())) {
                return wish.state() == FlowEntry.FlowEntryState.ADDED
                        || wish.state() == FlowEntry.FlowEntryState.PENDING_ADD;
            }
        }
        return false;
    }

    /** @throws IllegalStateException if the node does not answer: an empty list would make ONOS write everything again */
    @Override
    public Collection<FlowEntry> getFlowEntries() {
        if (!setupBehaviour("getFlowEntries()")) {
            throw new IllegalStateException("there is no connection to " + data().deviceId());
        }
        FlowRules rules =
                new FlowRules(names(), handler().get(CoreService.class).getAppId(OnosApp.NAME));
        List<FlowEntry> found = new ArrayList<>();
        ReadResponse read = read();
        for (PiTableEntry entry : read.all(PiTableEntry.class)) {
            PiEntries.decode(entry)
                    .ifPresent(row -> found.add(flowEntry(rules.encode(deviceId, row), entry.counter())));
        }
        for (PiMulticastGroupEntry group : read.all(PiMulticastGroupEntry.class)) {
            found.add(flowEntry(rules.encode(deviceId, Groups.decode(group)), null));
        }
        return found;
    }

    private static FlowEntry flowEntry(FlowRule rule, @Nullable PiCounterCellData counter) {
        return counter == null
                ? new DefaultFlowEntry(rule, FlowEntry.FlowEntryState.ADDED)
                : new DefaultFlowEntry(rule, FlowEntry.FlowEntryState.ADDED, 0, counter.packets(), counter.bytes());
    }

    private ReadResponse read() {
        ReadRequest request = client.read(p4DeviceId, pipeconf);
        pipeconf.pipelineModel().tables().forEach(table -> {
            if (table.matchFields().isEmpty()) {
                request.defaultTableEntry(table.id());
            } else {
                request.tableEntries(table.id());
            }
        });
        if (PipelineNames.replicates(pipeconf)) {
            request.handle(Groups.all(deviceId));
        }
        ReadResponse response = request.submitSync();
        if (!response.isSuccess()) {
            throw new IllegalStateException(deviceId + " cannot be read: " + response.explanation());
        }
        return response;
    }

    private PipelineNames names() {
        return new PipelineNames(pipeconf);
    }

    /** The rules that can be sent; the rest is refused. */
    private Map<FlowRule, PiEntity> entries(Collection<FlowRule> rules) {
        PiEntries entries = new PiEntries(names());
        Map<FlowRule, PiEntity> encoded = new HashMap<>();
        for (FlowRule rule : rules) {
            try {
                encoded.put(rule, entity(rule, entries));
            } catch (MalformedEntryException e) {
                refuse(List.of(rule), new Failure(Code.UNIMPLEMENTED, Reason.of(e)));
            }
        }
        return encoded;
    }

    private static PiEntity entity(FlowRule rule, PiEntries entries) {
        return FlowRules.group(rule)
                .<PiEntity>map(Groups::encode)
                .or(() -> FlowRules.decode(rule).map(entries::encode))
                .orElseThrow(() -> new MalformedEntryException(
                        rule.table().toString(), "the rule is not the contract's: " + rule));
    }

    /** Sends one kind of update; rules that the node answers with {@code aside} go there, other failures are refused. */
    private List<FlowRule> submit(
            Map<FlowRule, PiEntity> entries,
            UpdateType type,
            @Nullable EntityUpdateStatus aside,
            List<FlowRule> asides) {
        Map<PiHandle, FlowRule> rules = new HashMap<>();
        WriteRequest request = client.write(p4DeviceId, pipeconf);
        entries.forEach((rule, entry) -> {
            rules.put(entry.handle(deviceId), rule);
            if (entry instanceof PiTableEntry row && row.isDefaultAction()) {
                // It is there always: it can only be modified, and is reset by one without an action.
                request.entity(type == UpdateType.DELETE ? withoutAction(row) : row, UpdateType.MODIFY);
            } else if (type == UpdateType.DELETE) {
                request.delete(entry.handle(deviceId));
            } else {
                request.entity(entry, type);
            }
        });
        List<FlowRule> done = new ArrayList<>();
        if (rules.isEmpty()) {
            return done;
        }
        for (EntityUpdateResponse response : request.submitSync().all()) {
            FlowRule rule = Objects.requireNonNull(rules.get(response.handle()), "ONOS answers for what was asked");
            if (response.isSuccess()) {
                handler().get(Refusals.class).accepted(rule);
                done.add(rule);
            } else if (response.status() == aside) {
                asides.add(rule);
            } else {
                refuse(List.of(rule), failure(response));
            }
        }
        return done;
    }

    private static PiTableEntry withoutAction(PiTableEntry entry) {
        return PiTableEntry.builder()
                .forTable(entry.table())
                .withMatchKey(entry.matchKey())
                .build();
    }

    private List<FlowRule> refuse(Collection<FlowRule> rules, Failure why) {
        rules.forEach(rule -> handler().get(Refusals.class).refused(rule, why));
        return List.of();
    }

    static Failure failure(EntityUpdateResponse response) {
        String explanation = Optional.ofNullable(response.explanation())
                .orElse("the node gives no reason")
                .replace(NO_ORIGIN, "");
        return switch (response.status()) {
            case ALREADY_EXIST -> new Failure(Code.ALREADY_EXISTS, explanation);
            case NOT_FOUND -> new Failure(Code.NOT_FOUND, explanation);
            case CODEC_ERROR -> new Failure(Code.UNIMPLEMENTED, explanation);
            case PENDING -> new Failure(Code.UNAVAILABLE, "the node did not answer");
            case OK, OTHER_ERROR -> other(explanation);
        };
    }

    private static Failure other(String explanation) {
        Matcher coded = CODE.matcher(explanation);
        if (coded.matches()) {
            for (Code code : Code.values()) {
                if (code.name().equals(coded.group(1))) {
                    return new Failure(code, coded.group(2));
                }
            }
        }
        return new Failure(Code.INTERNAL, explanation);
    }
}
