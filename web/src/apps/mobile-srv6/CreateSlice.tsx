// SPDX-License-Identifier: Apache-2.0
import { useLayoutEffect, useMemo } from "preact/hooks";
import { CreateForm, WritersOnly } from "../../components/CreateForm";
import { Choice, Problems, TextField } from "../../components/Fields";
import { Warnings } from "../../components/Warnings";
import { useDryRun, type DryRun } from "../../components/dryRun";
import { network } from "../../state/network";
import { NOTHING, picture, type Thing } from "../../state/picture";
import { go } from "../../state/route";
import type { SlicePlan } from "./api";
import { besides, complete, EMPTY, hintOf, sliceOf, stopsOf, within, withNode, type Draft } from "./draft";
import { MatchFields } from "./MatchFields";
import { slices } from "./slices";
import { Walk } from "./Walk";

const APP = { id: "slices", title: "Slices" };

export function CreateSlice() {
  return (
    <WritersOnly app={APP} what="slices">
      <Form />
    </WritersOnly>
  );
}

/** A slice made by clicking its gateways and typing the rest; its plan is shown before it is there. */
function Form() {
  const run = useDryRun({
    intents: slices,
    empty: EMPTY,
    intentOf: (draft) => (complete(draft) ? sliceOf(draft) : undefined),
    installed: (slice) => go("slices", slice.id),
  });
  const { draft, plan } = run;
  const around = useMemo(
    () => ({
      stops: stopsOf(draft),
      pick: (thing: Thing): void => {
        if (thing.kind === "node") {
          run.change((before) => withNode(before, thing.name));
        }
      },
    }),
    [draft],
  );
  // Before the page is painted: a user that sees the hint may click.
  useLayoutEffect(() => {
    if (plan === undefined) {
      picture.value = { ...NOTHING, ...around };
    }
  }, [around, plan]);

  return (
    <>
      <CreateForm app={APP} heading="New slice" hint={hintOf(draft)} run={run}>
        <Naming run={run} />
        <Gateways run={run} />
        <Path run={run} />
        <Traffic run={run} />
      </CreateForm>
      {plan !== undefined && (
        <section aria-label="Preview" aria-busy={run.tried.is === "asking"}>
          <Warnings of={plan.warnings} />
          <Walk slice={sliceOf(draft)} ways={plan.ways} lane={0} around={around} />
        </section>
      )}
    </>
  );
}

interface Part {
  readonly run: DryRun<Draft, SlicePlan>;
}

function Naming({ run: { draft, field, set, problems } }: Part) {
  const { snssai } = draft;
  return (
    <>
      <div class="three">
        <TextField label="Name" placeholder="urllc" {...field("name")} />
        <TextField
          label="SST (optional)"
          value={snssai.sst}
          placeholder="0 to 255"
          problems={besides(problems.of("snssai"), "snssai", ["sd"])}
          onValue={(sst) => set({ snssai: { ...snssai, sst } })}
        />
        <TextField
          label="SD (optional)"
          value={snssai.sd}
          placeholder="000001"
          problems={within(problems.of("snssai"), "snssai", "sd")}
          onValue={(sd) => set({ snssai: { ...snssai, sd } })}
        />
      </div>
      <TextField label="Data networks (optional)" placeholder="internet, ims" {...field("dnns")} />
    </>
  );
}

function Gateways({ run: { draft, set, problems } }: Part) {
  const { access, core } = draft;
  const nodes = [...network.value.nodes.keys()];
  const ofAccess = problems.of("access");
  const ofCore = problems.of("core");
  return (
    <>
      <div class="pair">
        <TextField
          label="Access gateway"
          value={access.gateway}
          placeholder="node next to the gNBs"
          options={nodes}
          problems={besides(ofAccess, "access", ["gnbs"])}
          onValue={(gateway) => set({ access: { ...access, gateway } })}
        />
        <TextField
          label="gNBs"
          value={access.gnbs}
          placeholder="192.0.2.0/24"
          problems={within(ofAccess, "access", "gnbs")}
          onValue={(gnbs) => set({ access: { ...access, gnbs } })}
        />
      </div>
      <Choice
        label="At the core"
        value={core.is}
        options={{ gateway: "GTP-U is given back to UPFs", anchor: "GTP-U ends: the network is the UPF" }}
        problems={[]}
        onValue={(is) => set({ core: { ...core, is } })}
      />
      <div class="pair">
        <TextField
          label={core.is === "anchor" ? "Anchor" : "Core gateway"}
          value={core.node}
          placeholder="node next to the UPFs"
          options={nodes}
          problems={besides(ofCore, "core", ["upfs"])}
          onValue={(node) => set({ core: { ...core, node } })}
        />
        <TextField
          label="UPFs"
          value={core.upfs}
          placeholder="198.51.100.1"
          problems={within(ofCore, "core", "upfs")}
          onValue={(upfs) => set({ core: { ...core, upfs } })}
        />
      </div>
    </>
  );
}

function Path({ run: { draft, field, set, problems } }: Part) {
  const { downlink } = draft;
  return (
    <>
      <TextField
        label="Nodes on the way up (optional)"
        placeholder="click them, or type: p1 (p7) – in brackets: by any way"
        {...field("uplink")}
      />
      <div class="pair">
        <Choice
          label="Way down"
          value={downlink.is}
          options={{ symmetric: "the same nodes", own: "nodes of its own" }}
          problems={downlink.is === "symmetric" ? problems.of("downlink") : []}
          onValue={(is) => set({ downlink: { ...downlink, is } })}
        />
        <Choice
          label="Mode"
          options={{
            "": "by its nodes",
            traditional: "traditional: one SID",
            enhanced: "enhanced: nodes on the way",
            transport: "transport: GTP-U whole",
          }}
          {...field("mode")}
        />
      </div>
      {downlink.is === "own" && (
        <TextField
          label="Nodes on the way down"
          value={downlink.hops}
          placeholder="p7 p1"
          problems={problems.of("downlink")}
          onValue={(hops) => set({ downlink: { ...downlink, hops } })}
        />
      )}
    </>
  );
}

function Traffic({ run: { draft, field, set, problems } }: Part) {
  return (
    <>
      <MatchFields matches={draft.match} problems={problems.of("match")} onMatches={(match) => set({ match })} />
      {draft.match.length === 0 && <Problems problems={problems.of("match")} />}
      <Choice
        label="What no other slice takes"
        value={draft.default}
        options={{ no: "is not its business", yes: "it takes, too (default slice)" }}
        problems={problems.of("default")}
        onValue={(isDefault) => set({ default: isDefault })}
      />
      <div class="three">
        <Choice
          label="PDU Session Container"
          options={{ always: "always", nonzero: "where QFI is not 0", never: "never" }}
          {...field("container")}
        />
        <Choice
          label="What SRv6 cannot say"
          options={{ carry: "carry whole", discard: "discard" }}
          {...field("unrepresentable")}
        />
        <Choice
          label="Sequence numbers"
          options={{ keep: "keep (carry whole)", drop: "drop" }}
          {...field("sequenceNumbers")}
        />
      </div>
    </>
  );
}
