// SPDX-License-Identifier: Apache-2.0
import { useLayoutEffect, useMemo } from "preact/hooks";
import { CreateForm, WritersOnly } from "../../components/CreateForm";
import { Ends, Name } from "../../components/Ends";
import { Choice } from "../../components/Fields";
import { Warnings } from "../../components/Warnings";
import { useDryRun } from "../../components/dryRun";
import { network } from "../../state/network";
import { NOTHING, picture, type Thing } from "../../state/picture";
import { go } from "../../state/route";
import { complete, EMPTY, hintOf, isStuck, policyOf, withHost, withNode, type Draft } from "./draft";
import { policies } from "./policies";
import { PathField } from "./PathField";
import { Walk } from "./Walk";
import { strings } from "./strings";
import { strings as shared } from "../../components/strings";

const APP = { id: "policies", title: strings.policies };

export function CreatePolicy() {
  return (
    <WritersOnly app={APP} what={strings.things}>
      <Form />
    </WritersOnly>
  );
}

/** A policy made by clicks or by typing; its plan is requested from the controller as it is made. */
function Form() {
  const run = useDryRun({
    intents: policies,
    empty: EMPTY,
    intentOf: (draft) => (complete(draft) ? policyOf(draft) : undefined),
    installed: (policy) => go("policies", policy.id),
  });
  const { draft, field, set, plan, problems } = run;

  const around = useMemo(
    () => ({
      stops: [draft.from, ...draft.nodes, draft.to].filter((name) => name !== ""),
      pick: (thing: Thing): void => run.change((before) => picked(before, thing)),
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
      <CreateForm
        app={APP}
        heading={strings.newPolicy}
        hint={hintOf(draft, nodeOf)}
        stuck={isStuck(draft, nodeOf)}
        run={run}
      >
        <Ends draft={draft} problems={problems} set={set} />
        <PathField nodes={draft.nodes} problems={problems.of("nodes")} onNodes={(nodes) => set({ nodes })} />
        <div class="pair">
          <Choice
            label={shared.direction}
            options={{ symmetric: shared.bothDirections, "one-way": shared.oneDirection }}
            {...field("symmetry")}
          />
          <Choice
            label={strings.decapsulation}
            options={{ f00d: strings.f00dMarker, uDT: strings.uDTMainTable, numbering: strings.numbering }}
            {...field("decap")}
          />
        </div>
        <div class="pair">
          <Choice
            label={strings.packets}
            options={{ both: strings.iPv6AndIpv4, ipv6: strings.iPv6, ipv4: strings.iPv4 }}
            {...field("family")}
          />
          <Name draft={draft} problems={problems} set={set} />
        </div>
      </CreateForm>
      {plan !== undefined && (
        <section aria-label={shared.preview} aria-busy={run.tried.is === "asking"}>
          <Warnings of={plan.warnings} />
          <Walk directions={plan.directions} around={around} />
        </section>
      )}
    </>
  );
}

function nodeOf(end: string): string | undefined {
  return network.value.hosts.get(end)?.at.node;
}

function picked(draft: Draft, thing: Thing): Draft {
  if (thing.kind === "node") {
    return withNode(draft, thing.name, nodeOf);
  }
  const host = thing.kind === "host" ? network.value.hosts.get(thing.name) : undefined;
  return host === undefined ? draft : withHost(draft, host, nodeOf);
}
