// SPDX-License-Identifier: Apache-2.0
import { useEffect, useLayoutEffect, useState } from "preact/hooks";
import { Refused, type Flow, type FlowPlan, type Problem } from "../../api/client";
import { Back } from "../../components/Back";
import { Choice, Problems, TextField } from "../../components/Fields";
import { whyOf } from "../../components/Loaded";
import { network } from "../../state/network";
import { NOTHING, picture, type Thing } from "../../state/picture";
import { go } from "../../state/route";
import { Relaxed } from "./FlowDetail";
import { FlowPaths } from "./FlowPaths";
import { dryRun, submit } from "./flows";
import { lanesOf } from "./lanes";

const CALM_MILLIS = 150;

interface Draft {
  readonly from: string;
  readonly to: string;
  readonly paths: "2" | "3" | "4" | "disjoint";
  readonly disjoint: "link" | "node" | "srlg";
  readonly symmetry: "one-way" | "symmetric";
  readonly name: string;
}

const EMPTY: Draft = { from: "", to: "", paths: "2", disjoint: "node", symmetry: "one-way", name: "" };

interface Tried {
  readonly plan?: FlowPlan;
  readonly problems: readonly Problem[];
  readonly why: string;
}

const NOT_TRIED: Tried = { problems: [], why: "" };

/** A flow made by clicking its two hosts; its paths are shown before it is there. */
export function CreateFlow() {
  const [draft, setDraft] = useState<Draft>(EMPTY);
  const [tried, setTried] = useState<Tried>(NOT_TRIED);
  const [busy, setBusy] = useState(false);

  useEffect(() => {
    setTried(NOT_TRIED);
    if (draft.from === "" || draft.to === "") {
      return undefined;
    }
    const stop = new AbortController();
    const timer = setTimeout(() => {
      dryRun(flowOf(draft), stop.signal).then(
        (plan) => setTried({ ...NOT_TRIED, plan }),
        (error: unknown) => stop.signal.aborted || setTried(refusedFrom(error)),
      );
    }, CALM_MILLIS);
    return () => {
      clearTimeout(timer);
      stop.abort();
    };
  }, [draft]);

  // Before the page is painted: whoever sees the hint may click.
  useLayoutEffect(() => {
    const direction = tried.plan?.directions[0];
    picture.value = {
      ...NOTHING,
      stops: [draft.from, draft.to],
      paths: direction === undefined ? [] : lanesOf(direction, (name) => network.value.hosts.has(name)),
      pick: (thing: Thing) => setDraft((before) => picked(before, thing)),
    };
  }, [draft, tried]);

  const install = async (event: Event): Promise<void> => {
    event.preventDefault();
    setBusy(true);
    try {
      go("livelive", (await submit(flowOf(draft))).id);
    } catch (error) {
      setTried(refusedFrom(error));
      setBusy(false);
    }
  };

  const set = (change: Partial<Draft>): void => setDraft({ ...draft, ...change });
  const of = (field: string): readonly Problem[] =>
    tried.problems.filter((problem) => (problem.field.split("/")[1] ?? "") === field);
  const hosts = [...network.value.hosts.keys()];
  const fields = ["from", "to", "paths", "disjoint", "symmetry", "name"];
  return (
    <>
      <Back app="livelive" title="Live-Live" />
      <h2>New Live-Live flow</h2>
      <p class={`hint ${tried.problems.length > 0 ? "refused" : ""}`} role="status">
        {hintOf(draft, tried)}
      </p>
      <form class="create" onSubmit={(event) => void install(event)} noValidate>
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
        <Problems problems={tried.problems.filter((one) => !fields.includes(one.field.split("/")[1] ?? ""))} />
        {tried.problems.length === 0 && tried.why !== "" && <p class="trouble">{tried.why}</p>}
        <div class="bar">
          <button type="submit" class="primary" disabled={tried.plan === undefined || busy}>
            {busy ? "Installing…" : "Install"}
          </button>
          <button type="button" onClick={() => setDraft(EMPTY)}>
            Start over
          </button>
        </div>
      </form>
      {tried.plan !== undefined && (
        <>
          <Relaxed relaxed={tried.plan.relaxed} />
          {tried.plan.directions.map((direction) => (
            <FlowPaths direction={direction} key={direction.flowId} />
          ))}
        </>
      )}
    </>
  );
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

function refusedFrom(error: unknown): Tried {
  return { problems: error instanceof Refused ? error.problems : [], why: whyOf(error) };
}

function hintOf(draft: Draft, tried: Tried): string {
  if (draft.from === "" || draft.to === "") {
    return draft.from === "" ? "Click the host that sends." : "Click the host that receives.";
  }
  if (tried.plan !== undefined) {
    return `${tried.plan.found} paths: every packet takes all of them, and the first copy is delivered.`;
  }
  return tried.why === "" ? "Asking the controller…" : "The network cannot do this yet: see below.";
}
