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
import { strings } from "./strings";
import { strings as shared } from "../../components/strings";

const APP = { id: "slices", title: strings.slices };

export function CreateSession({ slice }: { readonly slice: string }) {
  return (
    <WritersOnly app={APP} what={strings.things}>
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
        {shared.back(strings.sessionsOf(slice))}
      </a>{" "}
      <CreateForm app={APP} heading={strings.newSessionOf(slice)} hint={hintOf(draft)} run={run}>
        <div class="pair">
          <TextField label={strings.id} placeholder={strings.exampleSession} {...field("id")} />
          <TextField label={strings.ueAddressesOrPrefixes} placeholder={strings.exampleUe} {...field("ue")} />
        </div>
        <TunnelFields
          name="uplink"
          endpoint={strings.uplinkEndpointUpf}
          teid={strings.uplinkTeid}
          tunnel={draft.uplink}
          problems={problems.of("uplink")}
          onTunnel={(uplink) => set({ uplink })}
        />
        <TunnelFields
          name="downlink"
          endpoint={strings.downlinkEndpointGnbOptional}
          teid={strings.downlinkTeid}
          tunnel={draft.downlink}
          problems={problems.of("downlink")}
          onTunnel={(downlink) => set({ downlink })}
        />
        <div class="pair">
          <TextField label={strings.downlinkQfi} placeholder={strings.exampleQfi} {...field("qfi")} />
          <Choice label={strings.reflectiveQos} options={strings.yesOrNo} {...field("rqi")} />
        </div>
      </CreateForm>
      {plan !== undefined && (
        <section aria-label={shared.preview} aria-busy={run.tried.is === "asking"}>
          <Warnings of={plan.warnings} />
          <Rows plan={plan} />
        </section>
      )}
    </>
  );
}

function hintOf(draft: SessionDraft): string {
  return sessionComplete(draft) ? strings.sessionReady : strings.enterSession;
}
