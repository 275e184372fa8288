// SPDX-License-Identifier: Apache-2.0
import { useEffect, useState } from "preact/hooks";
import { useAsked, Waiting } from "../../components/Loaded";
import { Missing, useWasThere } from "../../components/Missing";
import { TextField } from "../../components/Fields";
import { State } from "../../components/State";
import type { News } from "../../api/client";
import { addressOf } from "../../model/address";
import { onNews } from "../../state/network";
import { mayWrite } from "../../state/session";
import type { SessionStatus } from "./api";
import { useDrawn } from "./drawn";
import { pageOf, type Wanted } from "./sessions";
import { tunnelText } from "./text";
import { strings } from "./strings";
import { strings as shared } from "../../components/strings";

const ALL: Wanted = { ue: "", endpoint: "" };

/** The sessions of a slice, a page at a time; looked for by UE or by gNB or UPF. */
export function SessionList({ slice }: { readonly slice: string }) {
  const [wanted, setWanted] = useState(ALL);
  /** Where the pages begin that led here; the last is this one. */
  const [trail, setTrail] = useState<readonly string[]>([""]);
  const look = (change: Partial<Wanted>): void => {
    setWanted((before) => ({ ...before, ...change }));
    setTrail([""]);
  };
  useDrawn(slice);
  const after = trail.at(-1) ?? "";
  const calm = useCalm(wanted);
  return (
    <>
      <a class="back" href={addressOf("slices", slice)}>
        {shared.back(slice)}
      </a>
      <div class="bar">
        <h2>{strings.sessionsOf(slice)}</h2>
        {mayWrite("slices") && (
          <a class="button primary" href={addressOf("slices", slice, "sessions", "+", "new")}>
            {strings.newSession}
          </a>
        )}
      </div>
      <div class="pair">
        <TextField
          label={strings.ueAddress}
          value={wanted.ue}
          placeholder={strings.exampleUeAddress}
          problems={[]}
          onValue={(ue) => look({ ue })}
        />
        <TextField
          label={strings.endpointGnbOrUpf}
          value={wanted.endpoint}
          placeholder={strings.exampleGnb}
          problems={[]}
          onValue={(endpoint) => look({ endpoint })}
        />
      </div>
      <Page
        key={`${after} ${calm.ue} ${calm.endpoint}`}
        slice={slice}
        after={after}
        wanted={calm}
        onNext={(id) => setTrail([...trail, id])}
        {...(trail.length > 1 ? { onPrevious: () => setTrail(trail.slice(0, -1)) } : {})}
      />
    </>
  );
}

/** The pause in typing before the controller looks for it. */
const CALM_MILLIS = 250;

function useCalm<T>(value: T): T {
  const [calm, setCalm] = useState(value);
  useEffect(() => {
    const timer = setTimeout(() => setCalm(value), CALM_MILLIS);
    return () => clearTimeout(timer);
  }, [value]);
  return calm;
}

interface PageProps {
  readonly slice: string;
  readonly after: string;
  readonly wanted: Wanted;
  readonly onNext: (after: string) => void;
  readonly onPrevious?: () => void;
}

/** Asked for again when there are news of sessions of this slice. */
function Page({ slice, after, wanted, onNext, onPrevious }: PageProps) {
  const page = useAsked(() => pageOf(slice, after, wanted), [useTold(slice)]);
  const was = useWasThere(page.is === "here");
  if (page.is === "gone") {
    return <Missing one={strings.slice} id={slice} was={was} />;
  }
  if (page.is !== "here") {
    return <Waiting what={strings.theSessions} why={page.is === "failed" ? page.why : ""} />;
  }
  const { sessions, next } = page.value;
  return (
    <>
      {sessions.length === 0 && <p class="nothing">{after === "" ? strings.noSessions : strings.noMoreSessions}</p>}
      <ul class="cards" aria-label={strings.sessions}>
        {sessions.map((session) => (
          <Card slice={slice} session={session} key={session.id} />
        ))}
      </ul>
      {(next !== undefined || onPrevious !== undefined) && (
        <div class="bar pages" role="group" aria-label={strings.pages}>
          <button type="button" disabled={onPrevious === undefined} onClick={() => onPrevious?.()}>
            {strings.previous}
          </button>
          <button type="button" disabled={next === undefined} onClick={() => onNext(next ?? "")}>
            {strings.next}
          </button>
        </div>
      )}
    </>
  );
}

function Card({ slice, session: { id, state, session } }: { readonly slice: string; readonly session: SessionStatus }) {
  return (
    <li>
      <a class={`card ${state === "FAILED" ? "attention" : ""}`} href={addressOf("slices", slice, "sessions", id)}>
        <span class="title">{id}</span>
        <State state={state} />
        <span class="line">
          {session.ue?.join(", ") ?? strings.noUeAddress} <span class="quiet">{strings.qfiOf(session.qfi)}</span>
        </span>
        <span class="line quiet">{strings.tunnels(tunnelText(session.uplink), tunnelText(session.downlink))}</span>
      </a>
    </li>
  );
}

/** Grows when something happened to sessions of this slice. */
function useTold(slice: string): number {
  const [count, setCount] = useState(0);
  useEffect(
    () =>
      onNews((name, data) => {
        if (name === "intents" && concerns(data as News["intents"], slice)) {
          setCount((before) => before + 1);
        }
      }),
    [slice],
  );
  return count;
}

function concerns({ many, changed, removed }: News["intents"], slice: string): boolean {
  return many || [...changed, ...removed].some(({ kind, id }) => kind === "session" && id.startsWith(`${slice}/`));
}
