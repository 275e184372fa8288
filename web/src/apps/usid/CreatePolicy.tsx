// SPDX-License-Identifier: Apache-2.0
import { useEffect, useLayoutEffect, useMemo, useState } from "preact/hooks";
import { Refused, type PolicyPlan, type Problem } from "../../api/client";
import { Back } from "../../components/Back";
import { whyOf } from "../../components/Loaded";
import { network } from "../../state/network";
import { NOTHING, picture, type Thing } from "../../state/picture";
import { dryRun, submit } from "../../state/policies";
import { go } from "../../state/route";
import { mayWrite } from "../../state/session";
import { Choice, Problems, TextField } from "../../components/Fields";
import { byField, complete, EMPTY, policyOf, withHost, withNode, type Draft } from "./draft";
import { PathField } from "./PathField";
import { Walk } from "./Walk";

const CALM_MILLIS = 150;

type Tried =
  | { readonly is: "nothing" }
  | { readonly is: "plan"; readonly plan: PolicyPlan }
  | { readonly is: "refused"; readonly problems: readonly Problem[]; readonly why: string };

/** A policy made by clicks or by typing; what it would become is asked of the controller as it is made. */
export function CreatePolicy() {
  const [draft, setDraft] = useState<Draft>(EMPTY);
  const [sent, setSent] = useState<"no" | "sending">("no");
  const [tried, setTried] = useTried(draft);

  const around = useMemo(
    () => ({
      stops: [draft.from, ...draft.nodes, draft.to].filter((name) => name !== ""),
      pick: (thing: Thing): void => setDraft((before) => picked(before, thing)),
    }),
    [draft],
  );
  // Before the page is painted: whoever sees the hint may click.
  useLayoutEffect(() => {
    if (tried.is !== "plan") {
      picture.value = { ...NOTHING, ...around };
    }
  }, [around, tried]);

  if (!mayWrite()) {
    return (
      <>
        <Back app="policies" title="Policies" />
        <p class="trouble">This user may look but not write. Log in as a user of role admin to create policies.</p>
      </>
    );
  }

  const install = async (event: Event): Promise<void> => {
    event.preventDefault();
    setSent("sending");
    try {
      go("policies", (await submit(policyOf(draft))).id);
    } catch (error) {
      setTried(refusedFrom(error));
      setSent("no");
    }
  };

  const problems = byField(tried.is === "refused" ? tried.problems : []);
  const set = (change: Partial<Draft>): void => setDraft({ ...draft, ...change });
  return (
    <>
      <Back app="policies" title="Policies" />
      <h2>New policy</h2>
      <p class={`hint ${tried.is}`} role="status">
        {hintOf(draft, tried)}
      </p>
      <form class="create" onSubmit={(event) => void install(event)} noValidate>
        <div class="pair">
          <TextField
            label="From"
            value={draft.from}
            placeholder="host, address or prefix"
            options={[...network.value.hosts.keys()]}
            problems={problems.get("from")}
            onValue={(from) => set({ from })}
          />
          <TextField
            label="To"
            value={draft.to}
            placeholder="host, address or prefix"
            options={[...network.value.hosts.keys()]}
            problems={problems.get("to")}
            onValue={(to) => set({ to })}
          />
        </div>
        <PathField nodes={draft.nodes} problems={problems.get("nodes") ?? []} onNodes={(nodes) => set({ nodes })} />
        <div class="pair">
          <Choice
            label="Direction"
            value={draft.symmetry}
            options={{ symmetric: "both ways", "one-way": "one way" }}
            problems={problems.get("symmetry")}
            onValue={(symmetry) => set({ symmetry })}
          />
          <Choice
            label="Decapsulation"
            value={draft.decap}
            options={{ f00d: "f00d marker", uDT: "uDT of the main table", numbering: "/44 numbering" }}
            problems={problems.get("decap")}
            onValue={(decap) => set({ decap })}
          />
        </div>
        <div class="pair">
          <Choice
            label="Packets"
            value={draft.family}
            options={{ both: "IPv6 and IPv4", ipv6: "IPv6", ipv4: "IPv4" }}
            problems={problems.get("family")}
            onValue={(family) => set({ family })}
          />
          <TextField
            label="Name (optional)"
            value={draft.name}
            placeholder="made from the content"
            problems={problems.get("name")}
            onValue={(name) => set({ name })}
          />
        </div>
        <Problems problems={problems.get("")} />
        {tried.is === "refused" && tried.problems.length === 0 && <p class="trouble">{tried.why}</p>}
        <div class="bar">
          <button type="submit" class="primary" disabled={tried.is !== "plan" || sent === "sending"}>
            {sent === "sending" ? "Installing…" : "Install"}
          </button>
          <button type="button" onClick={() => setDraft(EMPTY)} disabled={draft === EMPTY}>
            Start over
          </button>
        </div>
      </form>
      {tried.is === "plan" && (
        <section aria-label="Preview">
          {tried.plan.warnings.map((warning) => (
            <p class="warning" key={warning}>
              {warning}
            </p>
          ))}
          <Walk directions={tried.plan.directions} around={around} />
        </section>
      )}
    </>
  );
}

function picked(draft: Draft, thing: Thing): Draft {
  if (thing.kind === "node") {
    return withNode(draft, thing.name);
  }
  const host = thing.kind === "host" ? network.value.hosts.get(thing.name) : undefined;
  return host === undefined ? draft : withHost(draft, host);
}

/** What the draft would become, asked a moment after its last change; an answer to an older question is dropped. */
function useTried(draft: Draft): [Tried, (tried: Tried) => void] {
  const [tried, setTried] = useState<Tried>({ is: "nothing" });
  useEffect(() => {
    if (!complete(draft)) {
      setTried({ is: "nothing" });
      return undefined;
    }
    const stop = new AbortController();
    const timer = setTimeout(() => {
      dryRun(policyOf(draft), stop.signal).then(
        (plan) => setTried({ is: "plan", plan }),
        (error: unknown) => {
          if (!stop.signal.aborted) {
            setTried(refusedFrom(error));
          }
        },
      );
    }, CALM_MILLIS);
    return () => {
      clearTimeout(timer);
      stop.abort();
    };
  }, [draft]);
  return [tried, setTried];
}

function refusedFrom(error: unknown): Tried {
  return { is: "refused", problems: error instanceof Refused ? error.problems : [], why: whyOf(error) };
}

function hintOf(draft: Draft, tried: Tried): string {
  if (draft.from === "") {
    return "Click the host where the traffic comes from.";
  }
  if (draft.to === "") {
    return draft.nodes.length < 2
      ? "Click the nodes on the way, in their order, or right away the host where the traffic goes."
      : "Go on with the nodes on the way, or click the host where the traffic goes.";
  }
  if (tried.is === "refused") {
    return "The network cannot do this yet: see below.";
  }
  return tried.is === "plan"
    ? "This is what it becomes. Install it, or change the way: click a node to add it or to take it out."
    : "Asking the controller…";
}
