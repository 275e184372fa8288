// SPDX-License-Identifier: Apache-2.0
import { useLayoutEffect } from "preact/hooks";
import { CreateForm, WritersOnly } from "../../components/CreateForm";
import { Ends, Name } from "../../components/Ends";
import { Choice } from "../../components/Fields";
import { Warnings } from "../../components/Warnings";
import { useDryRun } from "../../components/dryRun";
import { counted } from "../../model/format";
import { network } from "../../state/network";
import { NOTHING, picture, type Thing } from "../../state/picture";
import { go } from "../../state/route";
import type { Flow } from "./api";
import { FlowPaths } from "./FlowPaths";
import { flows } from "./flows";
import { lanesOf } from "./lanes";
import { strings } from "./strings";
import { strings as shared } from "../../components/strings";

const APP = { id: "livelive", title: strings.liveLive };

interface Draft {
  readonly from: string;
  readonly to: string;
  readonly paths: "2" | "3" | "4" | "disjoint";
  readonly disjoint: "link" | "node" | "srlg";
  readonly symmetry: "one-way" | "symmetric";
  readonly name: string;
}

const EMPTY: Draft = { from: "", to: "", paths: "2", disjoint: strings.node, symmetry: "one-way", name: "" };

export function CreateFlow() {
  return (
    <WritersOnly app={APP} what={strings.flows}>
      <Form />
    </WritersOnly>
  );
}

/** A flow made by clicking its two hosts; its paths are shown before it is there. */
function Form() {
  const run = useDryRun({
    intents: flows,
    empty: EMPTY,
    intentOf: (draft) => (draft.from !== "" && draft.to !== "" ? flowOf(draft) : undefined),
    installed: (flow) => go("livelive", flow.id),
  });
  const { draft, field, set, plan, problems } = run;

  // Before the page is painted: a user that sees the hint may click.
  useLayoutEffect(() => {
    picture.value = {
      ...NOTHING,
      stops: [draft.from, draft.to],
      paths: lanesOf(plan?.directions ?? [], (name) => network.value.hosts.has(name)),
      pick: (thing: Thing) => run.change((before) => picked(before, thing)),
    };
  }, [draft, plan]);

  return (
    <>
      <CreateForm app={APP} heading={strings.newLiveLiveFlow} hint={hintOf(draft, plan?.found ?? 0)} run={run}>
        <Ends draft={draft} problems={problems} set={set} />
        <div class="pair">
          <Choice
            label={strings.paths}
            options={{ "2": strings.two, "3": strings.three, "4": strings.four, disjoint: strings.disjoint }}
            {...field("paths")}
          />
          <Choice
            label={strings.disjointBy}
            options={{ link: strings.link, node: strings.node, srlg: strings.srlg }}
            {...field("disjoint")}
          />
        </div>
        <div class="pair">
          <Choice
            label={shared.direction}
            options={{ "one-way": shared.oneDirection, symmetric: shared.bothDirections }}
            {...field("symmetry")}
          />
          <Name draft={draft} problems={problems} set={set} />
        </div>
      </CreateForm>
      {plan !== undefined && (
        <section aria-label={shared.preview} aria-busy={run.tried.is === "asking"}>
          <Warnings of={plan.warnings} />
          {plan.directions.map((direction) => (
            <FlowPaths direction={direction} key={direction.flowId} />
          ))}
        </section>
      )}
    </>
  );
}

function hintOf(draft: Draft, found: number): string {
  if (draft.from === "") {
    return strings.clickTheSourceHost;
  }
  return draft.to === "" ? strings.clickTheDestinationHost : strings.ready(counted(found, "path"));
}

function picked(draft: Draft, thing: Thing): Draft {
  if (thing.kind !== "host") {
    return draft;
  }
  if (thing.name === draft.from || thing.name === draft.to) {
    return thing.name === draft.from ? { ...draft, from: "" } : { ...draft, to: "" };
  }
  return draft.from === "" ? { ...draft, from: thing.name } : { ...draft, to: thing.name };
}

function flowOf(draft: Draft): Flow {
  const { name, paths, ...rest } = draft;
  return {
    ...rest,
    paths: paths === "disjoint" ? paths : Number(paths),
    ...(name === "" ? {} : { name }),
  };
}
