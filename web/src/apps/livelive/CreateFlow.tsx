// SPDX-License-Identifier: Apache-2.0
import { useLayoutEffect, useState } from "preact/hooks";
import type { Flow, Problem } from "../../api/client";
import { CreateForm, WritersOnly } from "../../components/CreateForm";
import { Choice, TextField } from "../../components/Fields";
import { Warnings } from "../../components/Warnings";
import { useSending } from "../../components/sending";
import { planIn, refusedBy, useTried } from "../../components/tried";
import { counted } from "../../model/format";
import { network } from "../../state/network";
import { NOTHING, picture, type Thing } from "../../state/picture";
import { go } from "../../state/route";
import { FlowPaths } from "./FlowPaths";
import { dryRun, submit } from "./flows";
import { lanesOf } from "./lanes";

const APP = { id: "livelive", title: "Live-Live" };

interface Draft {
  readonly from: string;
  readonly to: string;
  readonly paths: "2" | "3" | "4" | "disjoint";
  readonly disjoint: "link" | "node" | "srlg";
  readonly symmetry: "one-way" | "symmetric";
  readonly name: string;
}

const EMPTY: Draft = { from: "", to: "", paths: "2", disjoint: "node", symmetry: "one-way", name: "" };

export function CreateFlow() {
  return (
    <WritersOnly app={APP} what="flows">
      <Form />
    </WritersOnly>
  );
}

/** A flow made by clicking its two hosts; its paths are shown before it is there. */
function Form() {
  const [draft, setDraft] = useState<Draft>(EMPTY);
  const complete = draft.from !== "" && draft.to !== "";
  const [tried, setTried] = useTried(draft, complete ? (stop) => dryRun(flowOf(draft), stop) : undefined);
  const { under, send } = useSending();
  const plan = planIn(tried);

  // Before the page is painted: whoever sees the hint may click.
  useLayoutEffect(() => {
    const direction = plan?.directions[0];
    picture.value = {
      ...NOTHING,
      stops: [draft.from, draft.to],
      paths: direction === undefined ? [] : lanesOf(direction, (name) => network.value.hosts.has(name)),
      pick: (thing: Thing) => setDraft((before) => picked(before, thing)),
    };
  }, [draft, plan]);

  const install = (): void =>
    send(
      () => submit(flowOf(draft)),
      (stored) => go("livelive", stored.id),
      (error) => setTried(refusedBy(error, "changing")),
    );
  const set = (change: Partial<Draft>): void => setDraft((before) => ({ ...before, ...change }));
  const problems = tried.is === "refused" ? tried.problems : [];
  const of = (field: keyof Draft): readonly Problem[] => problems.filter((problem) => fieldOf(problem) === field);
  const hosts = [...network.value.hosts.keys()];
  return (
    <>
      <CreateForm
        app={APP}
        heading="New Live-Live flow"
        hint={hintOf(draft, plan?.found ?? 0)}
        tried={tried}
        otherProblems={problems.filter((problem) => !(fieldOf(problem) in EMPTY))}
        sending={under}
        install={install}
        startOver={() => setDraft(EMPTY)}
      >
        <div class="pair">
          <TextField
            label="From"
            value={draft.from}
            placeholder="host, address or prefix"
            options={hosts}
            problems={of("from")}
            onValue={(from) => set({ from })}
          />
          <TextField
            label="To"
            value={draft.to}
            placeholder="host, address or prefix"
            options={hosts}
            problems={of("to")}
            onValue={(to) => set({ to })}
          />
        </div>
        <div class="pair">
          <Choice
            label="Paths"
            value={draft.paths}
            options={{ "2": "two", "3": "three", "4": "four", disjoint: "as many as there are" }}
            problems={of("paths")}
            onValue={(paths) => set({ paths })}
          />
          <Choice
            label="They share no"
            value={draft.disjoint}
            options={{ link: "link", node: "node", srlg: "risk (SRLG)" }}
            problems={of("disjoint")}
            onValue={(disjoint) => set({ disjoint })}
          />
        </div>
        <div class="pair">
          <Choice
            label="Direction"
            value={draft.symmetry}
            options={{ "one-way": "one way", symmetric: "both ways" }}
            problems={of("symmetry")}
            onValue={(symmetry) => set({ symmetry })}
          />
          <TextField
            label="Name (optional)"
            value={draft.name}
            placeholder="made from the content"
            problems={of("name")}
            onValue={(name) => set({ name })}
          />
        </div>
      </CreateForm>
      {plan !== undefined && (
        <section aria-label="Preview" aria-busy={tried.is === "asking"}>
          <Warnings of={plan.warnings} />
          {plan.directions.map((direction) => (
            <FlowPaths direction={direction} key={direction.flowId} />
          ))}
        </section>
      )}
    </>
  );
}

/** The field that a problem is about, from "/from/0". */
function fieldOf(problem: Problem): string {
  return problem.field.split("/")[1] ?? "";
}

function hintOf(draft: Draft, found: number): string {
  if (draft.from === "") {
    return "Click the host that sends.";
  }
  return draft.to === ""
    ? "Click the host that receives."
    : `${counted(found, "path")}: every packet takes all of them, and the first copy is delivered.`;
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
