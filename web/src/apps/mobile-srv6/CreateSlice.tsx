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
import { strings } from "./strings";
import { strings as shared } from "../../components/strings";

const APP = { id: "slices", title: strings.slices };

export function CreateSlice() {
  return (
    <WritersOnly app={APP} what={strings.slicesThing}>
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
      <CreateForm app={APP} heading={strings.newSlice} hint={hintOf(draft)} run={run}>
        <Naming run={run} />
        <Gateways run={run} />
        <Path run={run} />
        <Traffic run={run} />
      </CreateForm>
      {plan !== undefined && (
        <section aria-label={shared.preview} aria-busy={run.tried.is === "asking"}>
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
        <TextField label={strings.name} placeholder={strings.exampleName} {...field("name")} />
        <TextField
          label={strings.sstOptional}
          value={snssai.sst}
          placeholder={strings.exampleSst}
          problems={besides(problems.of("snssai"), "snssai", ["sd"])}
          onValue={(sst) => set({ snssai: { ...snssai, sst } })}
        />
        <TextField
          label={strings.sdOptional}
          value={snssai.sd}
          placeholder={strings.exampleSd}
          problems={within(problems.of("snssai"), "snssai", "sd")}
          onValue={(sd) => set({ snssai: { ...snssai, sd } })}
        />
      </div>
      <TextField label={strings.dataNetworksOptional} placeholder={strings.exampleDataNetworks} {...field("dnns")} />
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
          label={strings.accessGateway}
          value={access.gateway}
          placeholder={strings.nodeAtTheGnbs}
          options={nodes}
          problems={besides(ofAccess, "access", ["gnbs"])}
          onValue={(gateway) => set({ access: { ...access, gateway } })}
        />
        <TextField
          label={strings.gnbs}
          value={access.gnbs}
          placeholder={strings.exampleGnbs}
          problems={within(ofAccess, "access", "gnbs")}
          onValue={(gnbs) => set({ access: { ...access, gnbs } })}
        />
      </div>
      <Choice
        label={strings.coreSide}
        value={core.is}
        options={{ gateway: strings.gatewayOption, anchor: strings.anchorOption }}
        problems={[]}
        onValue={(is) => set({ core: { ...core, is } })}
      />
      <div class="pair">
        <TextField
          label={core.is === "anchor" ? strings.anchor : strings.coreGateway}
          value={core.node}
          placeholder={strings.nodeAtTheUpfs}
          options={nodes}
          problems={besides(ofCore, "core", ["upfs"])}
          onValue={(node) => set({ core: { ...core, node } })}
        />
        <TextField
          label={strings.upfs}
          value={core.upfs}
          placeholder={strings.exampleUpf}
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
      <TextField label={strings.uplinkPathOptional} placeholder={strings.pathHint} {...field("uplink")} />
      <div class="pair">
        <Choice
          label={strings.downlinkPath}
          value={downlink.is}
          options={{ symmetric: strings.reverseOfTheUplinkPath, own: strings.explicitPath }}
          problems={downlink.is === "symmetric" ? problems.of("downlink") : []}
          onValue={(is) => set({ downlink: { ...downlink, is } })}
        />
        <Choice
          label={strings.mode}
          options={{
            "": strings.automatic,
            traditional: strings.traditionalOneSid,
            enhanced: strings.enhancedTransitNodesAsSids,
            transport: strings.transportGtpUEncapsulated,
          }}
          {...field("mode")}
        />
      </div>
      {downlink.is === "own" && (
        <TextField
          label={strings.downlinkNodes}
          value={downlink.hops}
          placeholder={strings.examplePath}
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
        label={strings.defaultSlice}
        value={draft.default}
        options={{ no: strings.notDefault, yes: strings.isDefault }}
        problems={problems.of("default")}
        onValue={(isDefault) => set({ default: isDefault })}
      />
      <div class="three">
        <Choice
          label={strings.pduSessionContainer}
          options={{ always: strings.always, nonzero: strings.ifTheQfiIsNot, never: strings.never }}
          {...field("container")}
        />
        <Choice
          label={strings.fieldsWithoutAnSrv6Equivalent}
          options={{ carry: strings.encapsulateGtpU, discard: strings.discard }}
          {...field("unrepresentable")}
        />
        <Choice
          label={strings.sequenceNumbers}
          options={{ keep: strings.keepEncapsulateGtpU, drop: strings.drop }}
          {...field("sequenceNumbers")}
        />
      </div>
    </>
  );
}
