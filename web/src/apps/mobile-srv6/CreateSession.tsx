// SPDX-License-Identifier: Apache-2.0
import { useMemo } from "preact/hooks";
import { CreateForm, WritersOnly } from "../../components/CreateForm";
import { Choice, TextField } from "../../components/Fields";
import { Warnings } from "../../components/Warnings";
import { useDryRun } from "../../components/dryRun";
import { addressOf } from "../../model/address";
import { go } from "../../state/route";
import { useDrawn } from "./drawn";
import { Rows } from "./SessionRows";
import { sessionsOf } from "./sessions";
import { TunnelFields } from "./TunnelFields";
import { NO_SESSION, sessionComplete, sessionOf, type SessionDraft } from "./tunnel";

const APP = { id: "slices", title: "Slices" };

export function CreateSession({ slice }: { readonly slice: string }) {
  return (
    <WritersOnly app={APP} what="sessions">
      <Form slice={slice} />
    </WritersOnly>
  );
}

/** A session that is added by hand, as PFCP would. */
function Form({ slice }: { readonly slice: string }) {
  const intents = useMemo(() => sessionsOf(slice), [slice]);
  const run = useDryRun({
    intents,
    empty: NO_SESSION,
    intentOf: (draft) => (sessionComplete(draft) ? sessionOf(draft) : undefined),
    nameOf: ({ id }) => id,
    installed: ({ id }) => go("slices", slice, "sessions", id),
  });
  const { draft, field, set, plan, problems } = run;
  useDrawn(slice);
  return (
    <>
      <a class="back" href={addressOf("slices", slice, "sessions")}>
        ‹ Sessions of {slice}
      </a>{" "}
      <CreateForm app={APP} heading={`New session of ${slice}`} hint={hintOf(draft)} run={run}>
        <div class="pair">
          <TextField label="Id" placeholder="imsi-001-5" {...field("id")} />
          <TextField label="UE (addresses, prefixes)" placeholder="10.60.0.1" {...field("ue")} />
        </div>
        <TunnelFields
          name="uplink"
          endpoint="Uplink to (UPF)"
          teid="TEID there"
          tunnel={draft.uplink}
          problems={problems.of("uplink")}
          onTunnel={(uplink) => set({ uplink })}
        />
        <TunnelFields
          name="downlink"
          endpoint="Downlink to (gNB, optional)"
          teid="TEID at the gNB"
          tunnel={draft.downlink}
          problems={problems.of("downlink")}
          onTunnel={(downlink) => set({ downlink })}
        />
        <div class="pair">
          <TextField label="QFI (down)" placeholder="0" {...field("qfi")} />
          <Choice label="Reflective QoS" options={{ no: "no", yes: "yes" }} {...field("rqi")} />
        </div>
      </CreateForm>
      {plan !== undefined && (
        <section aria-label="Preview" aria-busy={run.tried.is === "asking"}>
          <Warnings of={plan.warnings} />
          <Rows plan={plan} />
        </section>
      )}
    </>
  );
}

function hintOf(draft: SessionDraft): string {
  return sessionComplete(draft)
    ? "This is what it becomes. Install it, or change it."
    : "Give an id, and the address and TEID that the gNB sends to. The gNB’s end may come later.";
}
